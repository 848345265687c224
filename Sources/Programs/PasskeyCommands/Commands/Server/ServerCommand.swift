// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import WebAuthnClient

/// A command that talks to a server.
protocol ServerCommand: Command where Options == ServerCommandOptions<LineOptions> {
  /// The options that a line of `passkey session` has too.
  associatedtype LineOptions: CommandArguments & Sendable

  static func perform(_ options: LineOptions, at server: LiveServer) async throws(CommandFailure)
}

/// The options of a command that talks to a server: those of the server and its own.
struct ServerCommandOptions<LineOptions: CommandArguments & Sendable>: CommandArguments {
  fileprivate let connection: ConnectionOptions
  fileprivate let line: LineOptions

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    connection = try ConnectionOptions(arguments)
    line = try LineOptions(arguments)
  }
}

/// The server, the device and the PIN of a command.
struct ConnectionOptions {
  private let server: ServerOptions
  private let device: DeviceChoice
  private let knownPIN: SecretBytes?

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    server = try ServerOptions(arguments)
    device = try DeviceChoice(arguments)
    knownPIN = try TerminalClientInteraction.knownPIN(arguments)
  }

  /// Returns the server. Connects on first use.
  func liveServer(servesManyLines: Bool = false) -> LiveServer {
    LiveServer(server, device: device, knownPIN: knownPIN, servesManyLines: servesManyLines)
  }
}

extension ServerCommand {
  static func run(_ options: Options) throws(CommandFailure) {
    let server = options.connection.liveServer()
    try Blocking.wait(untilInterrupted: !SignalDisposition.isIgnored(SIGINT)) { () async throws(CommandFailure) in
      let outcome = await withTaskCancellationHandler {
        await performAndClose(options.line, at: server)
      } onCancel: {
        // With no change pending, Ctrl-C ends the process immediately.
        if !server.sessions.hasBegunWrite { endByInterruption() }
      }
      try outcome.get()
    }
  }

  /// Performs the command, and closes the connection to the stored sessions.
  ///
  /// A function, because Swift 6.3.1 optimizes these statements wrongly inside the closures of `run`: a success becomes a
  /// failure without an error.
  private static func performAndClose(
    _ options: LineOptions, at server: LiveServer
  ) async -> Result<Void, CommandFailure> {
    let outcome: Result<Void, CommandFailure>
    do throws(CommandFailure) {
      outcome = .success(try await perform(options, at: server))
    } catch {
      outcome = .failure(error)
    }
    await server.sessions.close()
    return outcome
  }

  /// Decodes a line of `passkey session`.
  static func line(_ arguments: ParsedArguments) throws(CommandFailure) -> SessionLine.Command {
    let options = try LineOptions(arguments)
    return SessionLine.Command(isConfirmed: arguments[DeviceChoice.yes]) { (server) async throws(CommandFailure) in
      try await perform(options, at: server)
    }
  }

  private static func endByInterruption() {
    Interruption.end()
    raise(SIGINT)
  }
}
