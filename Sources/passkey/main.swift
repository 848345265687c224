// SPDX-License-Identifier: Apache-2.0

internal import Glibc

exit(Passkey.run(Array(CommandLine.arguments.dropFirst())).rawValue)
