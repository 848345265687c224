// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

// payload = { 0: version, 1: kind, ? 2: credential record, ? 4: handle, ? 5: email, ? 6: state, ? 7: [role…], ? 8: time,
//             ? 9: code, ? 11: user name }
//
// CBOR in canonical form. A ceremony lives for minutes, so older versions need not be read for long.

/// The service's part of a registration that has begun, sealed into its challenge; and of one whose address is not verified
/// yet, with the credential record.
struct CeremonyPayload: Hashable, Sendable {
  static let version: UInt64 = 3

  /// The credential record of a verified registration.
  let record: [UInt8]?

  /// The purpose of the registration.
  let intent: RegistrationIntent

  init(_ intent: RegistrationIntent, record: [UInt8]? = nil) {
    self.record = record
    self.intent = intent
  }

  /// The encoded payload.
  var encoded: [UInt8] {
    let parts = Parts(of: intent)
    var writer = CBORWriter()
    writer.writeMap(keyedBy: Key.self) { (map) in
      map.write(.version, unsigned: Self.version)
      map.write(.kind, unsigned: parts.kind.rawValue)
      if let record { map.write(.record, bytes: record) }
      if let handle = parts.handle { map.write(.handle, bytes: handle) }
      if let account = parts.account {
        if let email = account.email { map.write(.email, text: email.text) }
        map.write(.state, text: account.state.rawValue)
        map.writeArray(.roles, account.roles.map(\.rawValue).sorted()) { (array, role) in array.write(text: role) }
        map.write(.time, integer: account.created.secondsSince1970)
      }
      if let code = parts.code { map.write(.code, bytes: code) }
      if let username = parts.account?.username { map.write(.username, text: username.text) }
    }
    return writer.bytes
  }

  /// The members of an intent.
  private struct Parts {
    let kind: Kind
    var handle: [UInt8]?
    var account: Account?
    var code: [UInt8]?

    init(of intent: RegistrationIntent) {
      switch intent {
      case .signUp(let account, let code):
        kind = .signUp
        handle = [UInt8](account.handle.bytes)
        self.account = account
        self.code = code?.bytes
      case .recovery(let handle, let code):
        kind = .recovery
        self.handle = [UInt8](handle.bytes)
        self.code = code.bytes
      case .addition(let handle):
        kind = .addition
        self.handle = [UInt8](handle.bytes)
      }
    }
  }

  /// Parses the bytes of ``encoded``. Returns nil for any other bytes, such as those of another version: the ceremony
  /// then counts as unknown.
  init?(parsing bytes: [UInt8]) {
    do {
      let members = CBORKeyedReader<Key>(try CBORValue(parsing: bytes, rules: .canonical).map)
      guard try members.unsigned(.version) == Self.version, let kind = Kind(rawValue: try members.unsigned(.kind))
      else {
        return nil
      }
      record = try members.bytesIfPresent(.record).map { [UInt8]($0) }
      let code = try members.bytesIfPresent(.code).flatMap { TokenDigest($0) }
      let handle = try UserHandle(members.bytes(.handle))
      switch (kind, code) {
      case (.signUp, let code):
        guard let state = Account.State(rawValue: try members.text(.state)) else { return nil }
        let email = try members.textIfPresent(.email).map { try EmailAddress($0) }
        let username = try members.textIfPresent(.username).map { try Username($0) }
        guard let names = AccountNames(username, email) else { return nil }
        let account = Account(
          handle: handle, names: names, state: state,
          roles: Set(
            try members.require(.roles) { (value) throws(WireError) in try value.texts }.map { Role(rawValue: $0) }),
          created: UnixTime(secondsSince1970: try members.integer(.time)))
        intent = .signUp(account, code: code)
      case (.recovery, let code?): intent = .recovery(handle, code: code)
      case (.addition, nil): intent = .addition(handle)
      default: return nil
      }
    } catch {
      return nil
    }
  }

  private enum Kind: UInt64 {
    case signUp = 1
    case recovery = 2
    case addition = 3
  }

  private enum Key: UInt64, CBORMapKey {
    case version = 0
    case kind = 1
    case record = 2
    case handle = 4
    case email = 5
    case state = 6
    case roles = 7
    case time = 8
    case code = 9
    case username = 11
  }
}

/// The purpose of a registration, fixed when it begins.
enum RegistrationIntent: Hashable, Sendable {
  /// Creates an account with its first passkey.
  case signUp(Account, code: TokenDigest?)
  /// Registers a passkey for an account whose owner has lost theirs.
  case recovery(UserHandle, code: TokenDigest)
  /// Adds a passkey, in the session to which the ceremony is bound.
  case addition(UserHandle)
}
