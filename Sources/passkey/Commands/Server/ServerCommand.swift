// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc

/// A command that speaks with a server.
protocol ServerCommand: Command {
  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure)
}

extension ServerCommand {
  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    // Tokens and passkeys are in memory from here on.
    CoreFile.forbid()
    let server = try LiveServer(arguments)
    do throws(CommandFailure) {
      try Blocking.wait(untilInterrupted: Self.canBeInterrupted) { () async throws(CommandFailure) in
        let result = await withTaskCancellationHandler {
          await outcome(of: arguments, at: server)
        } onCancel: {
          // Whoever began nothing that has to be told of ends at once, as ever.
          if !server.mayHaveChanged { endByInterruption() }
        }
        try result.get()
      }
    } catch {
      // Behind the ^C that the terminal shows.
      if Interruption.count > 0, FileDescriptor.standardError.isTerminal {
        try? FileDescriptor.standardError.write([UInt8(ascii: "\n")])
      }
      throw error
    }
  }

  private static func outcome(
    of arguments: ParsedArguments, at server: LiveServer
  ) async -> Result<Void, CommandFailure> {
    let result: Result<Void, CommandFailure>
    do throws(CommandFailure) {
      result = .success(try await perform(arguments, at: server))
    } catch {
      result = .failure(error)
    }
    await server.close()
    return result
  }

  private static func endByInterruption() {
    Interruption.end()
    raise(SIGINT)
  }

  /// False where whoever started the program wants Ctrl-C to pass it by, as a shell does for what is in the background.
  private static var canBeInterrupted: Bool {
    var action = sigaction()
    guard unsafe sigaction(SIGINT, nil, &action) == 0 else { return true }
    // SIG_IGN is the number 1 in the place of an address.
    return unsafe withUnsafeBytes(of: &action.__sigaction_handler) { (bytes) in
      unsafe bytes.first != 1 || bytes.dropFirst().contains { (byte) in byte != 0 }
    }
  }
}
