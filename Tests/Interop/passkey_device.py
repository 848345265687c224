# SPDX-License-Identifier: Apache-2.0
"""Lets python-fido2 use `passkey authenticator` as if it were a USB key: a pytest plugin.

PASSKEY_DEVICE is the command line of the device. With --hid the library's own CTAPHID code communicates with it; otherwise each
frame is a whole message. Removing the key ends the process, inserting it starts the process again.
"""

import os
import selectors
import shlex
import struct
import subprocess
import sys
import threading

import fido2.hid
from fido2.ctap import STATUS, CtapDevice, CtapError
from fido2.hid import CAPABILITY, CTAPHID
from fido2.hid.base import CtapHidConnection, HidDescriptor

PATH = "passkey:0"
REPORT = 0x50


class Cable:
    """The device process behind two pipes; sends and receives frames."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.received = b""
        self.sending = threading.Lock()
        self.readable = selectors.DefaultSelector()
        self.readable.register(self.process.stdout, selectors.EVENT_READ)

    def send(self, frame):
        with self.sending:
            self.process.stdin.write(struct.pack(">I", len(frame)) + frame)

    def receive(self, seconds=None):
        """Returns the next frame, or None after the time-out."""
        while True:
            if len(self.received) >= 4:
                end = 4 + int.from_bytes(self.received[:4], "big")
                if len(self.received) >= end:
                    frame, self.received = self.received[4:end], self.received[end:]
                    return frame
            if not self.readable.select(seconds):
                return None
            more = self.process.stdout.read(65536)
            if not more:
                raise OSError(f"the device exited with status {self.process.wait()}")
            self.received += more

    def unplug(self):
        self.process.stdin.close()
        if self.process.wait(timeout=10) != 0:
            raise OSError(f"the device ended with status {self.process.returncode}")
        self.process.stdout.close()
        self.readable.close()


class Port:
    """The port of the key, connected or not."""

    def __init__(self, command):
        self.command = shlex.split(command)
        self.is_hid = "--hid" in self.command
        self.is_powered = True
        self.cable = None

    def plugged_in(self):
        if self.cable is None:
            self.cable = Cable(self.command)
        return self.cable

    def remove(self):
        self.is_powered = False
        if self.cable is not None:
            self.cable.unplug()
            self.cable = None

    def insert(self):
        self.is_powered = True

    def descriptors(self):
        return [self.descriptor()] if self.is_powered else []

    def descriptor(self, path=PATH):
        return HidDescriptor(path, 0, 0, 64, 64, "passkey authenticator", None)

    def open(self, descriptor):
        return Reports(self.plugged_in()) if self.is_hid else self.plugged_in()


class Reports(CtapHidConnection):
    """A connection with 64-byte reports for the library's CTAPHID code."""

    def __init__(self, cable):
        self.cable = cable

    def write_packet(self, data):
        self.cable.send(bytes([REPORT]) + data)

    def read_packet(self):
        kind, *report = self.cable.receive()
        assert kind == REPORT and len(report) == 64, f"a frame of type {kind}"
        return bytes(report)

    def close(self):
        pass  # The port owns the process.


class Messages(CtapDevice):
    """A connection with whole messages instead of the library's CTAPHID code."""

    def __init__(self, descriptor, cable):
        self.descriptor = descriptor
        self.cable = cable
        self.turn = threading.Lock()
        *self.device_version, capabilities = self.call(CTAPHID.INIT)
        self._capabilities = CAPABILITY(capabilities)

    @property
    def capabilities(self):
        return self._capabilities

    @property
    def product_name(self):
        return self.descriptor.product_name

    def call(self, cmd, data=b"", event=None, on_keepalive=None):
        with self.turn:
            self.cable.send(bytes([cmd]) + data)
            last, is_cancelled = None, False
            while True:
                if event is not None and event.is_set() and not is_cancelled:
                    self.cable.send(bytes([CTAPHID.CANCEL]))
                    is_cancelled = True
                frame = self.cable.receive(0.05)
                if not frame:
                    continue
                kind, payload = frame[0], frame[1:]
                if kind == CTAPHID.KEEPALIVE:
                    if on_keepalive is not None and payload != last:
                        last = payload
                        on_keepalive(STATUS(payload[0]))
                elif kind == CTAPHID.ERROR:
                    raise CtapError(payload[0])
                else:
                    assert kind == cmd, f"an answer of type {kind} to {cmd}"
                    return payload

    def wink(self):
        self.call(CTAPHID.WINK)

    def ping(self, msg=b"passkey"):
        return self.call(CTAPHID.PING, msg)

    def lock(self, lock_time=10):
        self.call(CTAPHID.LOCK, bytes([lock_time]))

    def close(self):
        pass  # The cable is the port's.

    @classmethod
    def list_devices(cls):
        return (cls(descriptor, PORT.open(descriptor)) for descriptor in PORT.descriptors())


PORT = Port(os.environ["PASSKEY_DEVICE"])

# The suite imports these names from fido2.hid, after this plugin has been loaded.
fido2.hid.list_descriptors = PORT.descriptors
fido2.hid.get_descriptor = PORT.descriptor
fido2.hid.open_connection = PORT.open
fido2.hid.open_device = lambda path: fido2.hid.CtapHidDevice(PORT.descriptor(path), PORT.open(None))
if not PORT.is_hid:
    fido2.hid.CtapHidDevice = Messages


def pytest_collection_finish(session):
    """Removes and inserts the key when the suite asks a person to."""
    for module in list(sys.modules.values()):
        printer = getattr(module, "Printer", None)
        if isinstance(printer, type) and hasattr(printer, "insert"):
            printer.remove = lambda self, nfc=False: PORT.remove()
            printer.insert = lambda self, nfc=False: PORT.insert()


def pytest_unconfigure(config):
    PORT.remove()
