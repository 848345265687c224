// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import PasskeyFormats
internal import PasskeySystem
package import WebAuthnTypes

/// Records which credential a device created and which credentials signed, as its replies and its vault show. Replies are
/// parsed only when a program asks for their credentials.
package final class CredentialRecorder: Sendable {
  /// A newly created credential.
  package struct Made: Sendable {
    package let id: CredentialID
    /// Whether the vault contains it. A non-discoverable credential may be sealed in its ID instead.
    package let isInVault: Bool
    /// The passkeys that it replaced, as far as the vault shows.
    package let replaced: [StoredPasskey]
  }

  /// A credential that signed.
  package struct Found: Sendable {
    package let id: CredentialID
    /// The creation time, if known.
    package let created: UnixTime?
  }

  /// The reply to a registration, and the passkeys that the vault gained and lost by it.
  private struct Creation {
    let reply: [UInt8]
    let added: [StoredPasskey]
    let lost: [StoredPasskey]
  }

  private struct Record {
    var before: [StoredPasskey] = []
    var creation: Creation?
    var assertions: [[UInt8]] = []
  }

  private let record = Locked(Record())

  package init() {}

  /// The credential that was created last.
  package var made: Made? { record.withLock { (record) in record.creation }.flatMap(Self.made) }

  /// Returns the credentials that the last assertion returned, in the device's order.
  package func found(in vault: (any Vault)?) -> [Found] {
    let assertions = record.withLock { (record) in record.assertions }
    let passkeys = Self.passkeys(in: vault)
    return assertions.compactMap { (reply) in
      guard let id = (try? GetAssertionReply(parsing: reply))?.credential?.id else { return nil }
      return Found(id: id, created: passkeys.first { (passkey) in passkey.id == id }?.created)
    }
  }

  /// Records that a command is about to be sent. The vault is the device's, or nil if it is not known.
  package func begin(_ command: CTAPCommand, with vault: (any Vault)?) {
    guard command == .makeCredential else { return }
    let before = Self.passkeys(in: vault)
    record.withLock { (record) in record.before = before }
  }

  /// Records the reply to a command.
  package func end(_ command: CTAPCommand, _ reply: [UInt8], with vault: (any Vault)?) {
    switch command {
    case .makeCredential:
      let after = Self.passkeys(in: vault)
      let kept = Set(after.map(\.id))
      record.withLock { (record) in
        let known = Set(record.before.map(\.id))
        record.creation = Creation(
          reply: reply, added: after.filter { !known.contains($0.id) },
          lost: record.before.filter { !kept.contains($0.id) })
        record.before = []
      }
    case .getAssertion: record.withLock { (record) in record.assertions = [reply] }
    case .getNextAssertion: record.withLock { (record) in record.assertions.append(reply) }
    default: break
    }
  }

  /// The passkeys in a vault. Read errors are ignored here; callers that need the contents report them.
  private static func passkeys(in vault: (any Vault)?) -> [StoredPasskey] { (try? vault?.read().passkeys) ?? [] }

  private static func made(_ creation: Creation) -> Made? {
    guard let read = try? MakeCredentialReply(parsing: creation.reply),
      let bytes = read.authenticatorData.attestedCredentialData?.credentialID, let id = try? CredentialID(bytes)
    else { return nil }
    let new = creation.added.first { (passkey) in passkey.id == id }
    let replaced = creation.lost.filter { (passkey) in
      passkey.relyingPartyIDHash == new?.relyingPartyIDHash && passkey.user?.id == new?.user?.id
    }
    return Made(id: id, isInVault: new != nil, replaced: replaced)
  }
}
