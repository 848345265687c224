// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
package import WebAuthnClient

/// A shell command of an option, which prints a code or does something for an account.
///
/// It runs in a session of its own. A watcher in that session holds the other end of a connection to this program, and kills
/// the session when the connection closes: when this program ends in any way, is cancelled, or has the code.
package struct CodeCommand: Sendable {
  private let command: String
  /// The option that has the command, for errors.
  private let option: String

  package init(_ command: String, of option: String) {
    self.command = command
    self.option = option
  }

  private static let script = """
    exec 3<&0 </dev/null
    { cat <&3; kill -KILL 0; } >/dev/null 2>&1 &
    exec 3<&-
    exec /bin/sh -c "$1"
    """

  // 4 KiB  [a code has 9 characters, and a command may print a line before it]
  private static let maximumByteCount = 4096

  /// Runs the command and returns the last word of its output.
  package func output(
    for verification: AddressVerification, _ purpose: MailPurpose
  ) async throws(CommandFailure) -> String {
    try await output(address: verification.address, purpose, at: verification.server)
  }

  /// Runs the command and returns the last word of its output.
  package func output(
    address: String?, _ purpose: MailPurpose, at server: ServerAddress
  ) async throws(CommandFailure) -> String {
    guard let word = try await run(address: address, purpose, at: server) else { throw failure("it printed nothing") }
    return word
  }

  /// Runs the command and returns the last word of its output; nil if it printed none.
  package func run(
    address: String?, _ purpose: MailPurpose, at server: ServerAddress
  ) async throws(CommandFailure) -> String? {
    var variables = Environment.all
    variables["PASSKEY_CODE_ADDRESS"] = address ?? ""
    variables["PASSKEY_CODE_PURPOSE"] = purpose.rawValue
    variables["PASSKEY_SERVER"] = server.text
    let environment = variables.map { "\($0.key)=\($0.value)" }
    let (life, other) = try mapError(UnixSocket.pair()) { (error: SystemError) in failure(error.message) }
    defer { life.close() }
    let outcome = await withTaskCancellationHandler {
      await SystemThread.run { () -> Result<String?, CommandFailure> in
        Result { () throws(CommandFailure) in try run(environment: environment, life: other) }
      }
    } onCancel: {
      life.shutDown(.sending)
    }
    guard let outcome else { throw failure("the system cannot start a thread") }
    if Task.isCancelled { throw .interrupted }
    return try outcome.get()
  }

  /// Runs the command on this thread. Closes `life`.
  private func run(environment: [String], life: FileDescriptor) throws(CommandFailure) -> String? {
    let process: ChildProcess
    let output: FileDescriptor
    do throws(SystemError) {
      defer { life.close() }
      let (own, other) = try UnixSocket.pair()
      output = own
      defer { other.close() }
      process = try ChildProcess(
        ["/bin/sh", "-c", Self.script, "sh", command], environment: environment, streams: [life, other, nil],
        isInNewSession: true)
    } catch {
      throw failure(error.message)
    }
    defer { output.close() }
    let printed = try? output.readToEnd(limit: Self.maximumByteCount)
    switch process.end(within: .seconds(60)) {
    case .exited(code: 0): break
    case .exited(let code): throw failure("it ended with exit code \(code)")
    case .signaled(let signal): throw failure("it was ended by signal \(signal)")
    case .unknown: throw failure("its end is unknown")
    }
    let text = String(decoding: printed ?? [], as: UTF8.self)
    return text.split(whereSeparator: \.isWhitespace).last.map { String($0) }
  }

  private func failure(_ reason: String) -> CommandFailure {
    .inputOutput("\(option) failed: \(reason)", hint: "run it alone, with its variables set, to see why")
  }
}
