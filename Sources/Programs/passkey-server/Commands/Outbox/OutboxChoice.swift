// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// The notices that a command of the outbox is about.
enum OutboxChoice {
  private static let destination = Option(
    "--destination", "NAME", help: "only notices to this destination, such as mail")
  private static let dead = Option("--dead", help: "only dead letters")

  static let options: [any OptionSpecification] = [destination, dead]

  /// Reads the options, and the ID if the command has one.
  static func selection(_ arguments: ParsedArguments) throws(CommandFailure) -> OutboxSelection {
    var notice: NoticeID?
    if let text = arguments.positionals.first {
      guard let id = NoticeID(text) else {
        throw .usage(
          "invalid notice ID \(text.quotedForTerminal)", hint: "list the IDs with passkey-server outbox list")
      }
      notice = id
    }
    return OutboxSelection(
      notice: notice, destination: arguments[destination].map { (name) in DestinationName(rawValue: name) },
      deadOnly: arguments[dead])
  }

  /// Reads the options of a command that changes notices, which must choose some.
  static func required(_ arguments: ParsedArguments) throws(CommandFailure) -> OutboxSelection {
    let selection = try selection(arguments)
    guard selection != OutboxSelection() else {
      throw .usage("no notice is chosen", hint: "name its ID, or use --dead or --destination NAME")
    }
    return selection
  }

  /// Throws if a command found no notice.
  static func require(_ count: Int) throws(CommandFailure) {
    guard count == 0 else { return }
    throw .refused("the outbox has no such notice", hint: "list the notices with passkey-server outbox list")
  }
}
