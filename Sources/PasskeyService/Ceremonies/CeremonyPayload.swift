// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

// payload = { 0: version, 1: kind, 2: the relying party's bytes, ? 3: binding, ? 4: handle, ? 5: e-mail, ? 6: state,
//             ? 7: [role…], ? 8: time, ? 9: code, ? 10: session }
//
// CBOR in canonical form. A ceremony lives for minutes, so older versions need not be read for long.

/// What a store keeps of a ceremony without knowing it.
struct CeremonyPayload: Hashable, Sendable {
  static let version: UInt64 = 1

  /// The relying party's half.
  let ceremony: [UInt8]

  /// The hash of what the browser has, where the ceremony is bound to one.
  let binding: [UInt8]?

  /// What it is to lead to.
  let intent: CeremonyIntent

  init(ceremony: [UInt8], binding: CeremonyBinding?, intent: CeremonyIntent) {
    self.ceremony = ceremony
    self.binding = binding?.digest
    self.intent = intent
  }

  var encoded: [UInt8] {
    var members: [Key: CBORTree] = [.version: .unsigned(Self.version), .ceremony: .bytes(ceremony)]
    members[.binding] = binding.map { .bytes($0) }
    switch intent {
    case .signUp(let account, let code):
      members[.kind] = Kind.signUp.tree
      members[.handle] = .bytes([UInt8](account.handle.bytes))
      members[.email] = .text(account.email.text)
      members[.state] = .text(account.state.rawValue)
      members[.roles] = .array(account.roles.map(\.rawValue).sorted().map { .text($0) })
      members[.time] = .integer(account.created.secondsSince1970)
      members[.code] = code.map { .bytes($0.bytes) }
    case .recovery(let handle, let code):
      members[.kind] = Kind.recovery.tree
      members[.handle] = .bytes([UInt8](handle.bytes))
      members[.code] = .bytes(code.bytes)
    case .addition(let handle, let session):
      members[.kind] = Kind.addition.tree
      members[.handle] = .bytes([UInt8](handle.bytes))
      members[.session] = .bytes(session.bytes)
    case .signIn: members[.kind] = Kind.signIn.tree
    case .stepUp(let session):
      members[.kind] = Kind.stepUp.tree
      members[.session] = .bytes(session.bytes)
    }
    return CBORWriter.bytes(of: .map(Dictionary(members.map { ($0.key.cbor, $0.value) }) { first, _ in first }))
  }

  /// Reads what ``encoded`` wrote. What is not that was written by another version, or by nobody: there is no such ceremony.
  init?(parsing bytes: [UInt8]) {
    do {
      let members = try CBORValue(parsing: bytes[...], rules: .canonical).map
      guard try members.require(Key.version.cbor).unsigned == Self.version,
        let kind = Kind(rawValue: try members.require(Key.kind.cbor).unsigned)
      else { return nil }
      ceremony = [UInt8](try members.require(Key.ceremony.cbor).bytes)
      binding = try members[Key.binding.cbor].map { [UInt8](try $0.bytes) }
      let code = try members[Key.code.cbor].flatMap { TokenDigest(try $0.bytes) }
      let session = try members[Key.session.cbor].flatMap { SessionID(try $0.bytes) }
      let handle = try members[Key.handle.cbor].map { try UserHandle($0.bytes) }
      switch (kind, handle, session, code) {
      case (.signUp, let handle?, nil, let code):
        guard let state = Account.State(rawValue: try members.require(Key.state.cbor).text) else { return nil }
        let account = Account(
          handle: handle, email: try EmailAddress(members.require(Key.email.cbor).text), state: state,
          roles: Set(try members.require(Key.roles.cbor).array.map { Role(rawValue: try $0.text) }),
          created: Timestamp(secondsSince1970: try members.require(Key.time.cbor).integer))
        intent = .signUp(account, code: code)
      case (.recovery, let handle?, nil, let code?): intent = .recovery(handle, code: code)
      case (.addition, let handle?, let session?, nil): intent = .addition(handle, session: session)
      case (.signIn, nil, nil, nil): intent = .signIn
      case (.stepUp, nil, let session?, nil): intent = .stepUp(session: session)
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

    var tree: CBORTree { .unsigned(rawValue) }
  }

  private enum Key: UInt64 {
    case version = 0
    case kind = 1
    case ceremony = 2
    case binding = 3
    case handle = 4
    case email = 5
    case state = 6
    case roles = 7
    case time = 8
    case code = 9
    case session = 10

    var cbor: CBORKey { .unsigned(rawValue) }
  }
}
