# SPDX-License-Identifier: Apache-2.0
"""Accepts webhooks over TLS and keeps their number in a file.

Arguments: the address and port to listen at, the certificate, its key, and the file for the number.
"""

import asyncio
import os
import ssl
import sys

host, port, certificate, key, path = sys.argv[1], int(sys.argv[2]), *sys.argv[3:6]
count = 0


async def accept(reader, writer):
    global count
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(int(lengths[0]) if lengths else 0)
            count += 1
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    async with await asyncio.start_server(accept, host, port, ssl=context):
        while True:
            with open(path + ".new", "w") as file:
                print(count, file=file)
            os.replace(path + ".new", path)
            await asyncio.sleep(0.1)


asyncio.run(main())
