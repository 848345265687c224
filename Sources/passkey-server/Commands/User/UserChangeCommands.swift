// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService

// Commands that change one account, given by its email address.

/// `passkey-server user approve EMAIL`
enum UserApproveCommand: Command {
  static let specification = UserChange.specification("approve", "approve a pending account")

  static func run(_ options: AccountOptions) throws(CommandFailure) {
    try UserChange.apply(.approve, options)
  }
}

/// `passkey-server user disable EMAIL`
enum UserDisableCommand: Command {
  static let specification = UserChange.specification("disable", "disable an account and end its sessions")

  static func run(_ options: AccountOptions) throws(CommandFailure) {
    try UserChange.apply(.disable, options)
  }
}

/// `passkey-server user enable EMAIL`
enum UserEnableCommand: Command {
  static let specification = UserChange.specification("enable", "enable a disabled account again")

  static func run(_ options: AccountOptions) throws(CommandFailure) {
    try UserChange.apply(.enable, options)
  }
}

enum UserChange {
  fileprivate static func specification(_ word: String, _ summary: String) -> CommandSpecification {
    CommandSpecification(
      name: "user \(word)", summary: summary, arguments: "[OPTION…] EMAIL", discussion: [ExitCode.paragraph],
      positionalCount: 1...1,
      options: AccountOptions.options, examples: [])
  }

  static func apply(_ change: AccountChange, _ options: AccountOptions) throws(CommandFailure) {
    let email = options.email
    let account = try Console.open(options.settings) { (store) async throws(CommandFailure) in
      let account = try await OpenStore.mapErrors { () async throws(ServiceError) in
        try await store.service.account(email, by: .console)
      }
      if let failure = refusal(of: change, to: account) { throw failure }
      return try await OpenStore.mapErrors { () async throws(ServiceError) in
        try await store.service.change(account.handle, change, by: .console, in: Console.context)
      }
    }
    if options.asJSON { return try Console.write(account) }
    let roles = account.roles.map(\.rawValue).sorted().joined(separator: ", ")
    Diagnostics.server.note("\(account.email.text) is \(account.state.rawValue)" + (roles.isEmpty ? "" : ", \(roles)"))
  }

  /// Returns the error if the account's state does not allow the change.
  private static func refusal(of change: AccountChange, to account: Account) -> CommandFailure? {
    guard change.applied(to: account) == nil else { return nil }
    let name = account.email.text
    switch (change, account.state) {
    case (.enable, .pending):
      return .refused("\(name) is pending", hint: "approve it with passkey-server user approve")
    case (.approve, .disabled):
      return .refused("\(name) is disabled", hint: "enable it with passkey-server user enable")
    default: return .refused("\(name) is already \(account.state.rawValue)")
    }
  }
}
