"""A headless Chromium, driven over a pipe by its own protocol: what it shows, says and asks for."""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SWITCHES = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"),
)


class Browser:
    """One page of a browser. `said` is what came to its console or log, `asked` the addresses that it asked for."""

    def __init__(self, home: Path) -> None:
        assert CHROMIUM is not None
        (there, self._out), (self._in, here) = os.pipe(), os.pipe()

        places = f"import os, sys; os.dup2({there}, 3); os.dup2({here}, 4); os.execv(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", places, CHROMIUM, *SWITCHES, f"--user-data-dir={home}"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, pass_fds=(there, here), stdout=quiet, stderr=quiet)
        os.close(there)
        os.close(here)
        self._left, self._number, self._session = b"", 0, ""
        self._heard: list[dict[str, Any]] = []
        self.said: list[str] = []
        self.asked: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._out)
        self._process.kill()
        self._process.wait()
        os.close(self._in)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask for something of the protocol and wait for the answer; what happens meanwhile is heard."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (found := self._next()).get("id") != self._number:
            self._hear(found)
        assert "error" not in found, (method, found["error"])
        return dict(found["result"])

    def open(self, page: Path, width: int, *, dark: bool = False, medium: str = "") -> None:
        self.said, self.asked, self._heard = [], [], []
        size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=medium, features=[scheme])
        self.call("Page.navigate", url=page.as_uri())
        while not any(each["method"] == "Page.loadEventFired" for each in self._heard):
            self._hear(self._next())

    def run(self, script: str) -> Any:
        """Run a script beside the page, which its content security policy does not reach, and give its value."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def printed(self) -> bytes:
        done = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        return base64.b64decode(done["data"])

    def picture(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            more = os.read(self._in, 1 << 20)
            assert more, "the browser went away"
            self._left += more
        message, _, self._left = self._left.partition(b"\0")
        return dict(json.loads(message))

    def _hear(self, event: dict[str, Any]) -> None:
        self._heard.append(event)
        if event["method"] in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.said.append(json.dumps(event["params"]))
        if event["method"] == "Network.requestWillBeSent":
            self.asked.append(event["params"]["request"]["url"])
