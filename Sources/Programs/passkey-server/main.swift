// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine

// The program's files contain personal data, so other users must not be able to read them.
umask(0o077)
exit(Program.passkeyServer.run(commandLine: CommandLine.arguments).rawValue)
