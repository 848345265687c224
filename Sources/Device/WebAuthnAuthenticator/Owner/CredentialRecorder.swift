// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import PasskeyFormats
internal import PasskeySystem
package import WebAuthnTypes

/// Records which credential a device created and which credentials signed, as its replies and its vault show.
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

  private struct Record {
    var made: Made?
    var found: [CredentialID] = []
  }

  private let record = Locked(Record())

  package init() {}

  /// The credential that was created last.
  package var made: Made? { record.withLock { (record) in record.made } }

  /// Returns the credentials that the last assertion returned, in the device's order.
  package func found(in vault: (any Vault)?) -> [Found] {
    let ids = record.withLock { (record) in record.found }
    let passkeys = Self.passkeys(in: vault)
    return ids.map { (id) in Found(id: id, created: passkeys.first { (passkey) in passkey.id == id }?.created) }
  }

  /// Sends a command to a device and records its reply. The vault is the device's, or nil if it is not known.
  package func perform(
    _ command: CTAPCommand, _ parameters: [UInt8], on device: any Authenticator, with vault: (any Vault)?
  ) async throws(CTAPError) -> [UInt8] {
    let before = command == .makeCredential ? Self.passkeys(in: vault) : []
    let reply = try await device.perform(command, parameters)
    switch command {
    case .makeCredential:
      let made = Self.made(reply, before, after: Self.passkeys(in: vault))
      record.withLock { (record) in record.made = made }
    case .getAssertion:
      let id = Self.credential(in: reply)
      record.withLock { (record) in record.found = id.map { (id) in [id] } ?? [] }
    case .getNextAssertion:
      if let id = Self.credential(in: reply) { record.withLock { (record) in record.found.append(id) } }
    default: break
    }
    return reply
  }

  /// The passkeys in a vault. Read errors are ignored here; callers that need the contents report them.
  private static func passkeys(in vault: (any Vault)?) -> [StoredPasskey] { (try? vault?.read().passkeys) ?? [] }

  private static func made(_ reply: [UInt8], _ before: [StoredPasskey], after: [StoredPasskey]) -> Made? {
    guard let read = try? MakeCredentialReply(parsing: reply),
      let bytes = read.authenticatorData.attestedCredentialData?.credentialID, let id = try? CredentialID(bytes)
    else { return nil }
    let new = after.first { (passkey) in passkey.id == id }
    let replaced = before.filter { (passkey) in
      passkey.relyingPartyIDHash == new?.relyingPartyIDHash && passkey.user?.id == new?.user?.id
        && !after.contains { (other) in other.id == passkey.id }
    }
    return Made(id: id, isInVault: new != nil, replaced: replaced)
  }

  private static func credential(in reply: [UInt8]) -> CredentialID? {
    (try? GetAssertionReply(parsing: reply))?.credential?.id
  }
}
