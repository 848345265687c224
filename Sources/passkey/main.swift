// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc

exit(Program.passkey.run(commandLine: CommandLine.arguments).rawValue)
