# SPDX-License-Identifier: Apache-2.0
"""Forwards connections and delays each direction, where the kernel lacks netem.

Arguments: the port to listen at on loopback, the address and port to connect to, and the delay in milliseconds.
"""

import asyncio
import sys

listen_port, host, port, delay = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4]) / 1000


async def forward(reader, writer):
    loop = asyncio.get_running_loop()
    while data := await reader.read(65536):
        loop.call_later(delay, writer.write, data)
    loop.call_later(delay, writer.close)


async def accept(reader, writer):
    far_reader, far_writer = await asyncio.open_connection(host, port)
    await asyncio.gather(forward(reader, far_writer), forward(far_reader, writer), return_exceptions=True)


async def main():
    async with await asyncio.start_server(accept, "127.0.0.1", listen_port) as server:
        await server.serve_forever()


asyncio.run(main())
