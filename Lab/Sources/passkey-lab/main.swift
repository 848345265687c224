// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCommands

exit(Program.lab.run(commandLine: CommandLine.arguments).rawValue)
