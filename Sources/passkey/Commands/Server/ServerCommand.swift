// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemIO
internal import WebAuthnClient

/// A command that talks to a server.
protocol ServerCommand: Command {
  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure)
}

extension ServerCommand {
  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let server = try LiveServer(
      ServerOptions(arguments), device: DeviceChoice(arguments), knownPIN: TerminalClientInteraction.knownPIN(arguments)
    )
    do throws(CommandFailure) {
      try Blocking.wait(untilInterrupted: !SignalDisposition.isIgnored(SIGINT)) { () async throws(CommandFailure) in
        let result = await withTaskCancellationHandler {
          await outcome(of: arguments, at: server)
        } onCancel: {
          // With no change pending, Ctrl-C ends the process immediately.
          if !server.sessions.hasBegunWrite { endByInterruption() }
        }
        try result.get()
      }
    } catch {
      // On a new line after the ^C that the terminal shows.
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
    await server.sessions.close()
    return result
  }

  private static func endByInterruption() {
    Interruption.end()
    raise(SIGINT)
  }
}
