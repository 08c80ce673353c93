"""Local models: a child process with a stand-in for the llama.cpp runtime."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from socialcircuits.errors import ModelError, Refused, SettingError, Unavailable
from socialcircuits.graph.vocabulary import Segment
from socialcircuits.models import Request
from socialcircuits.models.local import CAPABILITIES, LocalModel, LocalServer, installed, threads
from socialcircuits.models.weights import local

RUNTIME = '''
"""Has the interface of xllamacpp; the model file says how to behave."""
import json, os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

def CommonParams():
    parts = ("model", "cpuparams", "cpuparams_batch", "sampling")
    return SimpleNamespace(**{part: SimpleNamespace() for part in parts})

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = self.headers["Authorization"] == f"Bearer {self.params.api_keys[0]}"
        last = body["messages"][-1]
        start = last["content"] if last["role"] == "assistant" else ""
        text = f"{start}{os.getpid()} {self.params.cpuparams.n_threads} {body['model']}"
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        reply = json.dumps({"choices": [choice]} if known else {"error": "key"}).encode()
        if "die" in last["content"]:
            os._exit(9)
        self.send_response(200 if known else 401)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *words):
        pass

class Server:
    def __init__(self, params):
        with open(params.model.path, "rb") as file:
            behaviour = file.read()
        if b"bad" in behaviour:
            print("0.01 W load: odd", "0.02 E load: tensors are missing", "0.03 E srv: exiting",
                  sep="\\n", file=sys.stderr, flush=True)
            raise RuntimeError("no")
        if b"slow" in behaviour:
            threading.Event().wait()
        Handler.params = params
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.listening_address = "http://127.0.0.1:%d" % server.server_port
        threading.Thread(target=server.serve_forever).start()
'''

HELLO = Request((Segment("user", "text", b"Hello"),), 8)
DIE = Request((Segment("user", "text", b"die"),), 8)


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir()
    (folder / "xllamacpp.py").write_text(RUNTIME)
    monkeypatch.syspath_prepend(folder)
    before = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(folder), before])))
    monkeypatch.setenv("SOCIALCIRCUITS_THREADS", "3")


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "toy.gguf"
    path.write_bytes(b"GGUF good")
    return path


def ends(process: int) -> bool:
    """Whether a process that need not be a child of this one ends within ten seconds."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 10)[0])
    finally:
        os.close(handle)


def test_a_server_starts_with_the_first_call_and_ends_with_close(gguf: Path) -> None:
    async def use() -> int:
        model = LocalModel("mine", gguf)
        assert model.name == local(gguf, "mine").id
        assert await model.probe() == CAPABILITIES
        assert model._server._process is None
        replies = await asyncio.gather(*[model.complete(HELLO) for _ in range(4)])
        assert len({reply.text for reply in replies}) == 1
        process, used, name = replies[0].text.split()
        assert (used, name) == ("3", "mine")
        await model.close()
        await model.close()
        return int(process)

    assert ends(asyncio.run(use()))


def test_a_prefill_is_not_repeated(gguf: Path) -> None:
    async def use() -> str:
        model = LocalModel("mine", gguf)
        reply = await model.complete(Request(HELLO.segments, 8, prefill='{"country": "'))
        await model.close()
        return reply.text

    assert asyncio.run(use()).endswith(" 3 mine")
    assert "{" not in asyncio.run(use())


def test_an_image_is_refused_without_asking(gguf: Path) -> None:
    async def use() -> None:
        model = LocalModel("mine", gguf)
        try:
            await model.complete(Request((Segment("user", "image", b""),), 8))
        finally:
            await model.close()

    with pytest.raises(Refused, match="takes no images"):
        asyncio.run(use())


def test_nobody_else_knows_the_key(gguf: Path) -> None:
    from socialcircuits.models import OpenAICompatible

    server = LocalServer(local(gguf))
    address = server.start()

    async def use() -> None:
        stranger = OpenAICompatible("x", "mine", address.base_url, key="guess")
        try:
            await stranger.complete(HELLO)
        finally:
            await stranger.close()

    try:
        with pytest.raises(Refused):
            asyncio.run(use())
    finally:
        server.stop()


def test_a_server_that_ends_in_mid_run(gguf: Path) -> None:
    async def use() -> list[str]:
        model, said = LocalModel("mine", gguf), []
        for request in (HELLO, DIE, HELLO):
            try:
                said.append((await model.complete(request)).finish)
            except (Unavailable, Refused) as error:
                said.append(str(error))
            # What is sent while the system takes the process down is a fault like any other.
            if request is DIE:
                assert model._server._process is not None
                await asyncio.to_thread(model._server._process.wait)
        await model.close()
        return said

    first, second, third = asyncio.run(use())
    assert first == "stop"
    assert "cut" in second or "code 9" in second
    assert third == f"{local(gguf, 'mine').id}: the server has ended with code 9"


PARENT = """
import os, sys
from pathlib import Path
from socialcircuits.models.local import LocalServer
from socialcircuits.models.weights import local
server = LocalServer(local(Path(sys.argv[1])))
server.start()
print(server._process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux to wait for a grandchild")
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_ends_with_its_parent(gguf: Path, blow: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(gguf)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    os.kill(child, 0)
    parent.send_signal(blow)
    parent.communicate()
    assert parent.returncode == -blow
    assert ends(child)


def test_weights_that_cannot_be_loaded(gguf: Path) -> None:
    gguf.write_bytes(b"GGUF bad")
    server = LocalServer(local(gguf))
    with pytest.raises(Refused) as caught:
        server.start()
    assert str(caught.value) == (
        f"{local(gguf).id}: the weights cannot be loaded (load: tensors are missing)"
    )


def test_loading_has_an_end(gguf: Path) -> None:
    gguf.write_bytes(b"GGUF slow")
    server = LocalServer(local(gguf), seconds=0.01)
    with pytest.raises(Refused, match=r"not loaded after 0\.01 seconds"):
        server.start()
    assert server._process is not None
    assert server._process.poll() == -signal.SIGKILL


def test_a_missing_runtime(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not installed()
    with pytest.raises(Refused, match=r"pip install 'socialcircuits\[local\]'"):
        asyncio.run(LocalModel("mine", gguf).probe())


def test_weights_that_are_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCIALCIRCUITS_CACHE", str(tmp_path))
    model = LocalModel("smollm2-135m")
    assert model.name == "local/smollm2-135m@b179c952"
    for work in (model.probe(), model.complete(HELLO)):
        with pytest.raises(ModelError, match="socialcircuits models fetch smollm2-135m"):
            asyncio.run(work)
    with pytest.raises(SettingError, match="did you mean 'smollm2-135m'"):
        LocalModel("smollm-135m")


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    assert threads() == 3
    monkeypatch.delenv("SOCIALCIRCUITS_THREADS")
    for cores, wanted in ((8, 7), (1, 1), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert threads() == wanted
    for bad in ("0", "two", "-1"):
        monkeypatch.setenv("SOCIALCIRCUITS_THREADS", bad)
        with pytest.raises(SettingError, match="a whole number from 1"):
            threads()
