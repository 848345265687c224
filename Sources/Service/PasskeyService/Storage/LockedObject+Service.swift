// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import WebAuthnTypes

extension LockedObject {
  /// An account, with all rows that name it.
  static func account(_ handle: UserHandle) -> Self { Self(name: handle.bytes[...]) }

  /// The spending of a ceremony: two accounts can answer one challenge.
  static func ceremony(_ id: CeremonyID) -> Self { Self(name: id.bytes[...]) }

  /// A name of an account, for the account that takes it and for email ceremonies that look for each other.
  static func name(_ name: AccountName) -> Self { Self("name", name.key.utf8) }

  /// A credential ID, for the account that registers it.
  static func credential(_ id: CredentialID) -> Self { Self("credential", id.bytes) }

  /// A one-time code.
  static func code(_ digest: TokenDigest) -> Self { Self("code", digest.bytes) }

  /// An email ceremony without an account. One with an account has the lock of the account.
  static func emailCeremony(_ id: EmailCeremonyID) -> Self { Self("email ceremony", id.bytes) }

  /// The number of mails to an address.
  static func mailCount(_ limit: MailLimit) -> Self { Self("mail count", limit.key.utf8) }

  /// A push token, for the account that registers it.
  static func pushToken(of device: Device) -> Self {
    Self("push token", "\(device.service.rawValue) \(device.token)".utf8)
  }
}

extension EmailCeremony {
  /// The objects that a write locks before it changes the ceremony: as many for a decoy as for an account.
  var locks: [LockedObject] {
    [.name(.email(email)), account.map { (handle) in .account(handle) } ?? .emailCeremony(id)]
  }
}

extension EmailCeremonyStart {
  /// The objects that a write locks before it stores the ceremony.
  var locks: [LockedObject] {
    ceremony.locks + [limit.map { (limit) in .mailCount(limit) }].compactMap(\.self)
  }

  /// The records that it can append.
  var records: [AuditDraft] { audit + mail }
}

extension AccountNames {
  /// The objects that a write locks before it gives an account these names.
  var locks: [LockedObject] { all.map { (name) in .name(name) } }
}
