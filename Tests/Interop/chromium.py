# SPDX-License-Identifier: Apache-2.0
"""A Chromium with a profile of its own, over its DevTools pipe. Needs Python's standard library only."""

import fcntl
import json
import os
import subprocess
import time


class Chromium:
    """A Chromium with one page at a time. A host and its subdomains are a server at a port of this machine; other names do not resolve.

    `folder` gets the profile and the browser's standard error. `key` is the digest of the key in the server's certificate. `extension`
    is the folder of an unpacked extension.
    """

    def __init__(self, program, folder, port, key, host="raxx.app", *, extension=None, is_headless=True):
        os.makedirs(folder, exist_ok=True)
        to_browser, self.sending = os.pipe()
        self.receiving, from_browser = os.pipe()
        # Out of the way of 3 and 4, which the browser reads and writes.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 64) for end in (to_browser, from_browser)]
        os.close(to_browser)
        os.close(from_browser)

        def place():
            for number, end in zip((3, 4), ends):
                os.dup2(end, number)

        command = [
            program, "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--password-store=basic",
            f"--user-data-dir={folder}/profile", "--disable-background-networking", "--disable-component-update",
            f"--host-resolver-rules=MAP {host}:443 127.0.0.1:{port}, MAP *.{host}:443 127.0.0.1:{port}, MAP * ~NOTFOUND",
            f"--ignore-certificate-errors-spki-list={key}", "--window-size=1180,900",
        ]
        if is_headless:
            command += ["--headless=new", "--disable-gpu", "--hide-scrollbars"]
        if os.geteuid() == 0:
            # Chromium's sandbox refuses to run as root.
            command += ["--no-sandbox", "--no-zygote"]
        if extension:
            command += [f"--load-extension={extension}", "--disable-features=DisableLoadExtensionCommandLineSwitch"]
        self.errors = open(f"{folder}/stderr", "wb")
        passed = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "PATH")
        self.process = subprocess.Popen(
            command, preexec_fn=place, pass_fds=(3, 4, *ends), stdin=subprocess.DEVNULL, stdout=self.errors,
            stderr=self.errors, env={name: os.environ[name] for name in passed if name in os.environ} | {"HOME": folder, "TMPDIR": folder},
        )
        for end in ends:
            os.close(end)
        self.number, self.received, self.session = 0, b"", None
        self.target = None

    def open(self, url):
        """Opens a page in a tab of its own."""
        self.session = None
        self.target = self.send("Target.createTarget", url=url)["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        # Without the focus a page can use no passkey.
        self.send("Page.bringToFront")

    def close_page(self):
        self.session = None
        self.send("Target.closeTarget", targetId=self.target)

    def send(self, method, **parameters):
        """Sends a command and returns its result. Events are ignored."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.sending, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.received:
                chunk = os.read(self.receiving, 1 << 16)
                if not chunk:
                    raise RuntimeError("the browser ended")
                self.received += chunk
            text, self.received = self.received.split(b"\0", 1)
            reply = json.loads(text)
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise RuntimeError(reply["error"]["message"])
                return reply["result"]

    def go(self, url):
        """Opens a URL in the page and waits until it has loaded."""
        # A URL that differs only after # would not load the page.
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script):
        """Runs the body of an async function; returns its result, or the first line of its exception."""
        result = self.send(
            "Runtime.evaluate", expression=f"(async () => {{ {script} }})()", awaitPromise=True, returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in result:
            return result["exceptionDetails"]["exception"].get("description", "an exception").splitlines()[0]
        return result["result"].get("value", "")

    def wait(self, condition, seconds=60):
        """Waits until an expression of the page is true, also across navigations."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if self.run(f"return Boolean({condition})") is True:
                    return
            except RuntimeError as error:
                if "context" not in str(error) and "navigated" not in str(error):
                    raise
            if time.monotonic() > deadline:
                raise RuntimeError(f"waited {seconds} s for {condition}")
            time.sleep(0.02)

    def close(self):
        self.session = None
        try:
            self.send("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.sending)
        os.close(self.receiving)
        self.errors.close()
