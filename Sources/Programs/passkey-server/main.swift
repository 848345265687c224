// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import Glibc

// The program's files contain personal data, so other users must not be able to read them.
umask(0o077)
exit(Program.passkeyServer.run(commandLine: CommandLine.arguments).rawValue)
