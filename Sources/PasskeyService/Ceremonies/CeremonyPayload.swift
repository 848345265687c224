// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

// payload = { 0: version, 1: kind, 2: the relying party's bytes, ? 4: handle, ? 5: email, ? 6: state,
//             ? 7: [role…], ? 8: time, ? 9: code, ? 10: session, ? 11: user name, ? 12: its key }
//
// CBOR in canonical form. A ceremony lives for minutes, so older versions need not be read for long.

/// The part of a pending ceremony that is opaque to the store.
struct CeremonyPayload: Hashable, Sendable {
  static let version: UInt64 = 2

  /// The relying party's encoded ceremony.
  let ceremony: [UInt8]

  /// The purpose of the ceremony.
  let intent: CeremonyIntent

  init(ceremony: [UInt8], intent: CeremonyIntent) {
    self.ceremony = ceremony
    self.intent = intent
  }

  /// The encoded payload. Writes the parts directly, in key order, for speed: every ceremony needs one.
  var encoded: [UInt8] {
    let parts = Parts(of: intent)
    var writer = CBORWriter(capacity: ceremony.count + Self.expectedByteCountBesides)
    writer.writeMap(keyedBy: Key.self) { (map) in
      map.write(.version, unsigned: Self.version)
      map.write(.kind, unsigned: parts.kind.rawValue)
      map.write(.ceremony, bytes: ceremony)
      if let handle = parts.handle { map.write(.handle, bytes: handle) }
      if let account = parts.account {
        if let email = account.email { map.write(.email, text: email.text) }
        map.write(.state, text: account.state.rawValue)
        map.writeArray(.roles, account.roles.map(\.rawValue).sorted()) { (array, role) in array.write(text: role) }
        map.write(.time, integer: account.created.secondsSince1970)
      }
      if let code = parts.code { map.write(.code, bytes: code) }
      if let session = parts.session { map.write(.session, bytes: session) }
      if let username = parts.account?.username {
        map.write(.username, text: username.text)
        map.write(.usernameKey, text: username.key)
      }
    }
    return writer.bytes
  }

  // The version, a session ID and the CBOR framing.
  private static let expectedByteCountBesides = 96

  /// The members that an intent adds to the relying party's bytes.
  private struct Parts {
    let kind: Kind
    var handle: [UInt8]?
    var account: Account?
    var code: [UInt8]?
    var session: [UInt8]?

    init(of intent: CeremonyIntent) {
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
      case .addition(let handle, let session):
        kind = .addition
        self.handle = [UInt8](handle.bytes)
        self.session = session.bytes
      case .signIn: kind = .signIn
      case .reverification(let session):
        kind = .reverification
        self.session = session.bytes
      case .stepUp(let session):
        kind = .stepUp
        self.session = session.bytes
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
      ceremony = [UInt8](try members.bytes(.ceremony))
      let code = try members.bytesIfPresent(.code).flatMap { TokenDigest($0) }
      let session = try members.bytesIfPresent(.session).flatMap { SessionID($0) }
      let handle = try members.bytesIfPresent(.handle).map { try UserHandle($0) }
      switch (kind, handle, session, code) {
      case (.signUp, let handle?, nil, let code):
        guard let state = Account.State(rawValue: try members.text(.state)) else { return nil }
        let email = try members.textIfPresent(.email).map { try EmailAddress($0) }
        let username = try members.textIfPresent(.username).map { try Username($0) }
        guard let names = AccountNames(username, email) else { return nil }
        let account = Account(
          handle: handle, names: names, state: state,
          roles: Set(
            try members.require(.roles) { (value) throws(WireError) in try value.texts }.map { Role(rawValue: $0) }),
          created: Timestamp(secondsSince1970: try members.integer(.time)))
        intent = .signUp(account, code: code)
      case (.recovery, let handle?, nil, let code?): intent = .recovery(handle, code: code)
      case (.addition, let handle?, let session?, nil): intent = .addition(handle, session: session)
      case (.signIn, nil, nil, nil): intent = .signIn
      case (.stepUp, nil, let session?, nil): intent = .stepUp(session: session)
      case (.reverification, nil, let session?, nil): intent = .reverification(session: session)
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
    case signIn = 4
    case stepUp = 5
    case reverification = 6
  }

  fileprivate enum Key: UInt64, CBORMapKey {
    case version = 0
    case kind = 1
    case ceremony = 2
    case handle = 4
    case email = 5
    case state = 6
    case roles = 7
    case time = 8
    case code = 9
    case session = 10
    case username = 11
    case usernameKey = 12
  }
}

extension PendingCeremony {
  /// Returns byte strings of which each occurs in the payload of every pending sign-up under one of these names, and in
  /// no other payload. A store that erases an account also deletes the ceremonies with one of them, because their
  /// ``PendingCeremony/user`` need not be that account.
  public static func marks(of names: AccountNames) -> [[UInt8]] {
    let members: [(key: CeremonyPayload.Key, text: String?)] = [
      (.email, names.email?.text), (.usernameKey, names.username?.key),
    ]
    return members.compactMap { (key, text) in
      guard let text else { return nil }
      var writer = CBORWriter()
      writer.write(integer: Int64(key.rawValue))
      writer.write(text: text)
      return writer.bytes
    }
  }

  /// Whether the payload contains an email address or a user name, which is the case for a pending sign-up.
  public var hasAddress: Bool {
    if case .signUp = CeremonyPayload(parsing: payload)?.intent { true } else { false }
  }
}

/// The purpose of a pending ceremony, fixed when it begins.
enum CeremonyIntent: Hashable, Sendable {
  /// Creates an account with its first passkey.
  case signUp(Account, code: TokenDigest?)
  /// Registers a passkey for an account whose owner has lost theirs.
  case recovery(UserHandle, code: TokenDigest)
  /// Adds a passkey, in a session.
  case addition(UserHandle, session: SessionID)
  /// Opens a session.
  case signIn
  /// Verifies the user of a session again.
  case reverification(session: SessionID)
  /// Grants a confirmation, in a session.
  case stepUp(session: SessionID)
}
