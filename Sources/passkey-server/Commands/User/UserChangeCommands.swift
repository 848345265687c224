// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyService

// Commands that change one account, named by its e-mail address.

/// `passkey-server user approve EMAIL`
enum UserApproveCommand: Command {
  static let specification = UserChange.specification("approve", "let a pending account in")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.approve, arguments)
  }
}

/// `passkey-server user disable EMAIL`
enum UserDisableCommand: Command {
  static let specification = UserChange.specification("disable", "shut an account out, and end its sessions")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.disable, arguments)
  }
}

/// `passkey-server user enable EMAIL`
enum UserEnableCommand: Command {
  static let specification = UserChange.specification("enable", "let a disabled account in again")

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.enable, arguments)
  }
}

/// `passkey-server user roles EMAIL [ROLE…]`
enum UserRolesCommand: Command {
  static let specification = UserChange.specification(
    "roles", "say what an account may do", arguments: "[OPTION…] EMAIL [ROLE…]", positionalCount: 1...17)

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    try UserChange.apply(.setRoles(Console.roles(arguments.positionals.dropFirst())), arguments)
  }
}

private enum UserChange {
  static func specification(
    _ word: String, _ summary: String, arguments: String = "[OPTION…] EMAIL", positionalCount: ClosedRange<Int> = 1...1
  ) -> CommandSpecification {
    CommandSpecification(
      name: "user \(word)", summary: summary, arguments: arguments, discussion: [], positionalCount: positionalCount,
      options: Setting.storeOptions + [.help], examples: [])
  }

  static func apply(_ change: AccountChange, _ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    let account = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(email, by: .console).handle
      return try await store.service.change(handle, change, by: .console, in: context)
    }
    let roles = account.roles.map(\.rawValue).sorted().joined(separator: ", ")
    Diagnostics.server.note("\(account.email.text) is \(account.state.rawValue)" + (roles.isEmpty ? "" : ", \(roles)"))
  }
}
