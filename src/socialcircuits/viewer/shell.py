"""The built page: where its chunks go, and what it is allowed to do.

Its own script stands in it packed, in gzip and base64, behind a small one that unpacks it.
"""

from __future__ import annotations

import base64
import gzip
import html
import re
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

__all__ = ["block", "document", "policy"]

HEAD, DATA = "<!--head-->", "<!--data-->"
"""Where in the built page its policy and its chunks go."""

_PACKED = re.compile(r'<script type="text/plain" id="own">(.*?)</script>', re.DOTALL)
_SCRIPT = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)


@cache
def _shell() -> str:
    return files("socialcircuits.viewer").joinpath("page.html").read_text("utf-8")


@cache
def policy(connect: str = "'none'") -> str:
    """Return the content security policy of the page: its own inline scripts and nothing else.

    Args:
        connect: where it may fetch from: nowhere, or the server it came from.

    >>> policy().partition(";")[0], policy().split("; ")[4]
    ("default-src 'none'", "connect-src 'none'")
    """
    (unpacks,), (packed,) = _SCRIPT.findall(_shell()), _PACKED.findall(_shell())
    own = gzip.decompress(base64.b64decode(packed))
    digests = (sha256(text).digest() for text in (unpacks.encode(), own))
    scripts = " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {scripts}",
            "style-src 'unsafe-inline'",
            "img-src data: blob:",
            f"connect-src {connect}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def document(blocks: Iterable[str] = (), connect: str = "'none'", base: str = "") -> Iterator[str]:
    """Yield the page in parts, so that it is never in memory as a whole.

    Args:
        blocks: the chunks, as `block` gives them; none where they come from a server.
        connect: as in `policy`.
        base: the page's own address, where that is not what its links are taken from.
    """
    before, after = _shell().split(DATA)
    # Without an icon of its own a page asks its server for one.
    own = f'<meta http-equiv="Content-Security-Policy" content="{policy(connect)}" />'
    # Before the policy, which allows no base to anything that comes after it.
    own = f'<base href="{base}" />\n    {own}' if base else own
    yield before.replace(HEAD, f'{own}\n    <link rel="icon" href="data:," />')
    yield from blocks
    yield after


def block(kind: str, run: str, packed: str) -> str:
    r"""Return a chunk as an inert block of the page.

    Args:
        kind: ``head``, or ``trial="NUMBER"``.
        run: name of the run, whatever it is.
        packed: the chunk, in base64.

    >>> block('trial="3"', 'a"<b>.db', "H4sI")
    '<script type="text/plain" data-trial="3" data-run="a&quot;&lt;b&gt;.db">H4sI</script>\n'
    """
    # A line break in an attribute would be read as another one than it is.
    name = html.escape(run).replace("\r", "&#13;").replace("\n", "&#10;")
    return f'<script type="text/plain" data-{kind} data-run="{name}">{packed}</script>\n'
