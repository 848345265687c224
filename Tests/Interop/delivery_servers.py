# SPDX-License-Identifier: Apache-2.0
"""The servers of delivery.py: receivers of webhooks, push messages and mail, and servers that fail."""

import asyncio
import http.server
import logging
import socket
import ssl
import struct
import subprocess
import threading
import warnings

import h2.config
import h2.connection
import h2.events
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword


# aiosmtpd reads an attribute of its own that it deprecates.
warnings.filterwarnings("ignore", category=DeprecationWarning)
logging.getLogger("mail.log").setLevel(logging.CRITICAL)


def make_certificates(folder):
    """Makes two authorities and certificates for hooks.example, push.example and localhost. Returns their paths."""

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)

    def authority(name):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                "-days", "2", "-out", f"{name}.crt", "-keyout", f"{name}.key")

    def certificate(name, hosts, issuer, days="2"):
        names = ",".join(f"DNS:{host}" for host in hosts)
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                "-addext", f"subjectAltName={names}", "-out", f"{name}.csr", "-keyout", f"{name}.key")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{issuer}.crt", "-CAkey", f"{issuer}.key", "-days", days,
                "-copy_extensions", "copy", "-out", f"{name}.crt")
        return f"{folder}/{name}"

    authority("ca")
    authority("ca2")
    hosts = ["hooks.example", "push.example"]
    return {
        "authority": f"{folder}/ca.crt",
        "good": certificate("good", hosts, "ca"),
        "elsewhere": certificate("elsewhere", ["other.example"], "ca"),
        "expired": certificate("expired", hosts, "ca", days="-1"),
        "stranger": certificate("stranger", hosts, "ca2"),
        "localhost": certificate("localhost", ["localhost"], "ca"),
        "stranger-localhost": certificate("stranger-localhost", ["localhost"], "ca2"),
    }


def tls_context(path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{path}.crt", f"{path}.key")
    return context


class WebhookServer:
    """Records requests over HTTP/1.1 and TLS. `answer` returns the next response."""

    def __init__(self, context, address="127.0.0.1", port=0):
        self.requests, self.connections = [], 0
        self.answer = lambda: (204, {}, b"")
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                owner.connections += 1
                # A failed handshake is not a request, and must not stop the other connections.
                self.request.settimeout(20)
                try:
                    self.request = context.wrap_socket(self.request, server_side=True)
                except OSError:
                    self.request.close()
                    self.failed = True
                else:
                    self.failed = False
                    super().setup()

            def handle(self):
                if not self.failed:
                    super().handle()

            def finish(self):
                if not self.failed:
                    super().finish()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                owner.requests.append(({k.lower(): v for k, v in self.headers.items()}, body, self.path))
                status, fields, body = owner.answer()
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                pass

        self.server = Server((address, port), Handler)
        self.port = self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class RawServer:
    """Runs a function for each connection. With `reset`, it then resets the connection."""

    def __init__(self, context, serve, reset=False):
        self.context, self.serve, self.reset = context, serve, reset
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def _connection(self, connection):
        try:
            raw = connection
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
                raw = connection
            self.serve(connection)
            if self.reset:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.close()
        except OSError:
            pass

    def _run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connection, args=(connection,), daemon=True).start()

    def __enter__(self):
        threading.Thread(target=self._run, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class Request:
    def __init__(self, headers):
        self.headers, self.body = headers, b""


class HTTP2Server:
    """Speaks HTTP/2 only. `answer` returns status, fields and body; None resets the stream, "silence" never answers, and
    "cut" closes the connection within the body."""

    def __init__(self, context):
        context.set_alpn_protocols(["h2"])
        self.context, self.requests, self.connections = context, [], 0
        self.answer = None
        self.loop = asyncio.new_event_loop()

    async def _serve(self, reader, writer):
        self.connections += 1
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        connection.initiate_connection()
        open_requests, waiting = {}, {}

        def flush(stream):
            body = waiting.get(stream)
            while body:
                room = min(connection.local_flow_control_window(stream), connection.max_outbound_frame_size)
                if room <= 0:
                    return
                connection.send_data(stream, body[:room])
                body = waiting[stream] = body[room:]
            if body is not None:
                connection.end_stream(stream)
                del waiting[stream]

        try:
            writer.write(connection.data_to_send())
            while data := await reader.read(65536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        open_requests[event.stream_id] = Request(dict(event.headers))
                    elif isinstance(event, h2.events.DataReceived):
                        open_requests[event.stream_id].body += event.data
                        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    elif isinstance(event, h2.events.StreamEnded):
                        request = open_requests.pop(event.stream_id)
                        self.requests.append(request)
                        try:
                            answer = self.answer(request)
                        except Exception as error:  # The judge's verdict: the client sees a status that no case expects.
                            answer = (418, {}, repr(error).encode())
                            print("judge:", repr(error), flush=True)
                        if answer is None:
                            connection.reset_stream(event.stream_id)
                        elif answer == "cut":
                            connection.send_headers(event.stream_id, [(":status", "200"), ("content-length", "1000")])
                            connection.send_data(event.stream_id, b"{")
                            writer.write(connection.data_to_send())
                            await writer.drain()
                            return
                        elif answer != "silence":
                            status, fields, body = answer
                            connection.send_headers(event.stream_id, [(":status", str(status)), *fields.items()])
                            waiting[event.stream_id] = body
                            flush(event.stream_id)
                    elif isinstance(event, h2.events.StreamReset):
                        waiting.pop(event.stream_id, None)
                    elif isinstance(event, h2.events.WindowUpdated):
                        for stream in list(waiting):
                            flush(stream)
                writer.write(connection.data_to_send())
                await writer.drain()
        except (OSError, ssl.SSLError):
            pass
        finally:
            writer.close()

    def __enter__(self):
        started = threading.Event()

        async def start():
            self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.context)
            self.port = self.server.sockets[0].getsockname()[1]
            started.set()

        self.loop.set_exception_handler(lambda *_: None)
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        asyncio.run_coroutine_threadsafe(start(), self.loop)
        started.wait()
        return self

    def __exit__(self, *_):
        async def stop():
            self.server.close()

        asyncio.run_coroutine_threadsafe(stop(), self.loop).result()


class ReceivedMail:
    def __init__(self, session, envelope):
        self.sender, self.recipients = envelope.mail_from, envelope.rcpt_tos
        self.content, self.host = envelope.content, session.host_name
        self.was_encrypted = session.ssl is not None
        self.user = session.auth_data.decode() if session.auth_data else None


class MailServer:
    """aiosmtpd with STARTTLS or implicit TLS, and a login."""

    def __init__(self, tls, implicit=False, user=None, password=None):
        self.messages, self.reply_to_recipient, self.reply_to_message = [], None, None
        owner = self

        class Handler:
            async def handle_RCPT(self, _server, _session, envelope, address, _options):
                if owner.reply_to_recipient:
                    return owner.reply_to_recipient
                envelope.rcpt_tos.append(address)
                return "250 OK"

            async def handle_DATA(self, _server, session, envelope):
                if owner.reply_to_message:
                    return owner.reply_to_message
                mail = ReceivedMail(session, envelope)
                mail.was_encrypted = mail.was_encrypted or implicit
                owner.messages.append(mail)
                return "250 OK"

        def authenticate(_server, _session, _envelope, _mechanism, data):
            good = isinstance(data, LoginPassword) and (data.login, data.password) == (user.encode(), password.encode())
            return AuthResult(success=good, handled=False, auth_data=data.login if good else None)

        options = {}
        if user:
            options.update(authenticator=authenticate, auth_required=True, auth_require_tls=True)
        if implicit:
            options.update(ssl_context=tls)
        elif tls:
            options.update(tls_context=tls, require_starttls=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.controller = Controller(Handler(), hostname="localhost", port=self.port, **options)

    def _connect_once(self):
        """Wakes the controller with a connection. Its own way uses the server's TLS settings, which clients cannot."""
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection(("localhost", self.port), 10) as raw, client.wrap_socket(raw) as connection:
            connection.recv(1024)

    def __enter__(self):
        if self.controller.ssl_context:
            self.controller._trigger_server = self._connect_once
        self.controller.start()
        return self

    def __exit__(self, *_):
        self.controller.stop()
