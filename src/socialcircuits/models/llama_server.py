"""The child process of a local model: llama.cpp's server on loopback, for as long as stdin is open.

Run as ``python -m socialcircuits.models.llama_server GGUF THREADS``. When the model is loaded it
prints one line: ``listening``, the server's address and its key. The system closes stdin when the
parent ends, however it ends, and with it this process.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

SLOTS = 4
CONTEXT = 8192 * SLOTS
CACHE_MIB = 256
QUIET = 2


def main(path: str, threads: int) -> NoReturn:
    """Load the weights, serve them, and end the process when stdin is closed.

    Args:
        path: a GGUF file.
        threads: how many threads compute, at least 1.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_parallel, params.n_ctx, params.cache_ram_mib = SLOTS, CONTEXT, CACHE_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    # By default llama.cpp cuts the tail off every distribution that it samples from.
    params.sampling.top_k, params.sampling.top_p, params.sampling.min_p = 0, 1.0, 0.0
    # Neither other users of this machine nor pages in a browser know the key.
    key = os.urandom(16).hex()
    params.api_keys = [key]
    params.ui = params.endpoint_slots = False
    params.verbosity = QUIET
    try:
        server = xllamacpp.Server(params)
    except RuntimeError:
        sys.exit(1)  # llama.cpp has said why
    sys.stdout.write(f"listening {server.listening_address} {key}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    # Letting go of the server would first finish what it was asked.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
