// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc

// What this program writes is about people: nobody else on the machine reads it.
umask(0o077)
exit(Program.passkeyServer.run(Array(CommandLine.arguments.dropFirst())).rawValue)
