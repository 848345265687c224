// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnClient

extension Report {
  /// Adds an account.
  mutating func add(_ name: String, _ account: ServerAccount) {
    let words = [account.address ?? account.id, account.state].compactMap(\.self) + account.roles
    let roles = JSON.writeArray { (list) in
      for role in account.roles { list.write(.string(role)) }
    }
    add(
      name, line: words.map(\.escapedForTerminal).joined(separator: ", "),
      members: [("user", .text(account.address)), ("account", .text(account.id)), ("state", .text(account.state))]
        + ((try? JSON.parse(roles)).map { [("roles", .verbatim($0))] } ?? []))
  }
}
