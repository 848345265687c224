// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// The console: administration of the store without a session and with all rights.
enum Console {
  /// Opens the store that the arguments name, calls `body` with its service, and closes it.
  static func use<Answer: Sendable>(
    _ arguments: ParsedArguments, for use: StoreUse = .administering,
    _ body: @escaping @Sendable (OpenStore, RequestContext) async throws(ServiceError) -> Answer
  ) throws(CommandFailure) -> Answer {
    try open(arguments, for: use) { (store) async throws(CommandFailure) in
      try await OpenStore.mapErrors { () async throws(ServiceError) in try await body(store, context) }
    }
  }

  /// Opens the store that the arguments name, calls `body`, and closes the store even if `body` throws.
  static func open<Answer: Sendable>(
    _ arguments: ParsedArguments, for use: StoreUse = .administering,
    _ body: @escaping @Sendable (OpenStore) async throws(CommandFailure) -> Answer
  ) throws(CommandFailure) -> Answer {
    let configuration = try ServerConfiguration(arguments)
    return try Blocking.wait { () async throws(CommandFailure) in
      let store = try await OpenStore.open(configuration, for: use)
      do throws(CommandFailure) {
        let answer = try await body(store)
        await store.close()
        return answer
      } catch {
        await store.close()
        throw error
      }
    }
  }

  /// The context that audit records of console commands carry.
  static var context: RequestContext { RequestContext(time: Clock.now, requestID: "console") }

  /// Prints a one-time code to standard output, and its purpose and lifetime to standard error.
  static func write(_ code: String, that purpose: String, for lifetime: Duration) throws(CommandFailure) {
    let hours = lifetime.components.seconds / 3600
    let time = hours >= 48 && hours.isMultiple(of: 24) ? "\(hours / 24) days" : "\(hours) hours"
    Diagnostics.server.note("a code that \(purpose), valid once and for \(time):")
    try Output.write("\(code)\n")
  }

  /// Parses an e-mail address argument.
  static func email(_ text: String) throws(CommandFailure) -> EmailAddress {
    do throws(ServiceError) {
      return try EmailAddress(text)
    } catch {
      throw .usage("invalid e-mail address \(text.quotedForTerminal)", hint: "write it like ada@example.org")
    }
  }

  /// Returns the beginning of an ID, enough to tell it from others on the screen.
  static func short(_ name: (some CustomStringConvertible)?) -> String {
    guard let name else { return "-" }
    let text = name.description
    return text.count > 20 ? text.prefix(19) + "…" : text
  }

  /// Returns the roles named in the arguments. The service validates them.
  static func roles(_ names: some Sequence<String>) -> Set<Role> {
    Set(names.map { Role(rawValue: $0) })
  }
}
