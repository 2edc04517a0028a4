"""The Content-Security-Policy of the pages: only what this server sends is run, loaded or asked."""

from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

POLICY = {
    "default-src": "'self'",
    # A component's script is loaded as a blob; the browser side of Streamlit multiplies long numbers in WebAssembly.
    "script-src": "'self' blob: 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",  # the browser side of Streamlit writes its styles into the page
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "frame-ancestors": "'none'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}


class _InlineScripts(HTMLParser):
    """Gathers the scripts that stand in a page itself."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag == "script" and "src" not in dict(attrs)
        if self.inside:
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.inside = False


def inline_scripts(page: str) -> list[str]:
    """Return the scripts that stand in a page itself, as they stand there.

    >>> inline_scripts("<script src='a.js'></script><p>text</p><script>b = 1 && 2</script>")
    ['b = 1 && 2']
    """
    reader = _InlineScripts()
    reader.feed(page)
    reader.close()
    return reader.scripts


def content_security_policy(page: str) -> str:
    """Return the policy under which `page` runs, with the hashes of its inline scripts and of no other.

    >>> content_security_policy("<script>a = 1</script>").split("; ")[1]
    "script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-tbwf/ZCRL7GL7259gJCRksemSSiWMgFW1n+68QTGVEo='"
    """
    digests = (b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii") for script in inline_scripts(page))
    hashes = "".join(f" 'sha256-{digest}'" for digest in digests)
    return "; ".join(f"{name} {value}{hashes * (name == 'script-src')}" for name, value in POLICY.items())
