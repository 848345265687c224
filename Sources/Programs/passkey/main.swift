// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import Glibc

exit(Program.passkey.run(commandLine: CommandLine.arguments).rawValue)
