// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// A command that speaks with a server.
protocol ServerCommand: Command {
  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure)
}

extension ServerCommand {
  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    // Tokens and passkeys are in memory from here on.
    CoreFile.forbid()
    let server = try LiveServer(arguments)
    try Blocking.wait { () async throws(CommandFailure) in
      do throws(CommandFailure) {
        try await perform(arguments, at: server)
        await server.close()
      } catch {
        await server.close()
        throw error
      }
    }
  }
}
