// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyService
internal import PasskeySystem

// Commands that change one account, given by its user name or email address.

/// `passkey-server user approve NAME`
enum UserApproveCommand: Command {
  static let specification = UserChange.specification("approve", "approve a pending account")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.approve, arguments)
  }
}

/// `passkey-server user reject NAME`
enum UserRejectCommand: Command {
  static let specification = UserChange.specification("reject", "refuse to approve a pending account")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.reject, arguments)
  }
}

/// `passkey-server user disable NAME`
enum UserDisableCommand: Command {
  static let specification = UserChange.specification("disable", "disable an account and end its sessions")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.disable, arguments)
  }
}

/// `passkey-server user enable NAME`
enum UserEnableCommand: Command {
  static let specification = UserChange.specification("enable", "enable a disabled account again")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.enable, arguments)
  }
}

enum UserChange {
  fileprivate static func specification(_ word: String, _ summary: String) -> CommandSpecification {
    CommandSpecification(
      name: "user \(word)", summary: summary, arguments: "[OPTION…] NAME",
      discussion: [Console.noticeParagraph, ExitCode.paragraph],
      positionalCount: 1...1,
      options: Console.accountOptions, examples: [])
  }

  static func apply(_ change: Account.Change, _ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let account = try Console.open(arguments) { (store) async throws(CommandFailure) in
      let account = try await mapError(async: await store.service.account(name, by: .console), CommandFailure.init)
      if let failure = refusal(of: change, to: account) { throw failure }
      return try await mapError(
        async: await store.service.change(account.handle, change, by: .console, in: Console.context),
        CommandFailure.init)
    }
    if arguments.asksForJSON { return try Console.write(account) }
    let roles = account.roles.map(\.rawValue).sorted().joined(separator: ", ")
    Diagnostics.server.note("\(account.name) is \(account.state.rawValue)" + (roles.isEmpty ? "" : ", \(roles)"))
  }

  /// Returns the error if the account's state does not allow the change.
  private static func refusal(of change: Account.Change, to account: Account) -> CommandFailure? {
    guard change.applied(to: account) == nil else { return nil }
    let name = account.name
    switch (change, account.state) {
    case (.enable, .pending):
      return .refused("\(name) is pending", hint: "approve it with passkey-server user approve")
    case (.enable, .rejected):
      return .refused("\(name) is rejected", hint: "approve it with passkey-server user approve")
    case (.reject, .active):
      return .refused("\(name) is active", hint: "disable it with passkey-server user disable")
    case (.approve, .disabled):
      return .refused("\(name) is disabled", hint: "enable it with passkey-server user enable")
    default: return .refused("\(name) is already \(account.state.rawValue)")
    }
  }
}
