// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService

// The names of accounts in requests.

extension Endpoints {
  /// Returns the names in a request body of a registration; nil if it is missing.
  func names(in inputs: ShapeValues) throws(ServiceError) -> AccountNames? {
    let username = try inputs.text(.accountUsername).map { (text) throws(ServiceError) in try Username(text) }
    if let names = AccountNames(username, try email(in: inputs)) { return names }
    guard let text = inputs.text(.accountName) else { return nil }
    return AccountNames(try AccountName(text, by: service.policy.identifiers))
  }

  /// Returns the account's name in a request body of a sign-in; nil if it is missing.
  func name(in inputs: ShapeValues) throws(ServiceError) -> AccountName? { try names(in: inputs)?.primary }

  /// Returns the email address in a request body; nil if it is missing.
  func email(in inputs: ShapeValues) throws(ServiceError) -> EmailAddress? {
    try inputs.text(.accountEmail).map { (text) throws(ServiceError) in try EmailAddress(text) }
  }

  /// Returns the member of a request body with the account's name.
  func nameMember(of call: Call) -> String? {
    call.contract?.request?.memberName(of: [.accountEmail, .accountUsername, .accountName])
  }
}

extension AccountNames {
  /// Returns whether each of these names is a name of the account.
  func belong(to account: Account) -> Bool {
    let keys = Set(account.names.all.map(\.key))
    return all.allSatisfy { keys.contains($0.key) }
  }
}
