# SPDX-License-Identifier: Apache-2.0
"""A running `passkey-server` with a database of its own."""

import re
import subprocess
import threading


class NotServing(Exception):
    """The server ended before it served."""


class Server:
    """Serves at a free port until the block ends. Its files are in the folder."""

    def __init__(self, program, folder, *options):
        self.program, self.folder = program, folder
        command = [program, "--listen", "127.0.0.1:0", "--rp-id", "raxx.app", "--access-log", "access.log", *options]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        told = []
        for line in self.process.stderr:
            told.append(line)
            if found := re.search(r" at (https?://\S+:(\d+))$", line):
                self.url, self.port = found[1], int(found[2])
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise NotServing("".join(told))

    def run(self, *command):
        """Runs a command on the server's database."""
        subprocess.run([self.program, *command], cwd=self.folder, check=True, capture_output=True)

    def stop(self):
        """Stops the server and returns its exit code."""
        self.process.terminate()
        return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
