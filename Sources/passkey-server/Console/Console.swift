// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService
internal import WireFormats

/// What whoever has the server's own console asks of the store: no session, and every right.
enum Console {
  /// Opens the store that the arguments name, asks its service something, and closes it.
  static func use<Answer: Sendable>(
    _ arguments: ParsedArguments, for use: StoreUse = .administering,
    _ body: @escaping @Sendable (OpenStore, RequestContext) async throws(ServiceError) -> Answer
  ) throws(CommandFailure) -> Answer {
    try open(arguments, for: use) { (store) async throws(CommandFailure) in
      let context = RequestContext(time: Clock.now, requestID: "console")
      return try await OpenStore.said { () async throws(ServiceError) in try await body(store, context) }
    }
  }

  /// Opens the store that the arguments name, does something with it, and closes it whatever came of that.
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

  /// An e-mail address among the arguments.
  static func email(_ text: String) throws(CommandFailure) -> EmailAddress {
    do throws(ServiceError) {
      return try EmailAddress(text)
    } catch {
      throw .usage("\(text.quotedForTerminal) is no e-mail address", hint: "it is written ada@example.org")
    }
  }

  /// Roles among the arguments; whether they can be roles, the service says.
  static func roles(_ names: some Sequence<String>) -> Set<Role> {
    Set(names.map { Role(rawValue: $0) })
  }
}
