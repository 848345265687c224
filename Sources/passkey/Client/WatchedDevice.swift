// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// A device wrapper that records which passkey was created and which passkeys signed.
final class WatchedDevice: Authenticator {
  /// A newly created passkey.
  struct Made: Sendable {
    let id: CredentialID
    /// Whether the vault contains it. A non-discoverable credential may be sealed in its ID instead.
    let isInVault: Bool
    /// The passkeys that it replaced, as far as the vault shows.
    let replaced: [StoredPasskey]
  }

  /// A passkey that signed.
  struct Found: Sendable {
    let id: CredentialID
    /// The creation time, if known.
    let created: Timestamp?
  }

  private struct Seen {
    var made: Made?
    var found: [CredentialID] = []
  }

  /// The vault with the passkeys, or nil for another device.
  let vault: FileVault?

  private let device: any Authenticator
  private let seen = Locked(Seen())

  init(_ device: any Authenticator, vault: FileVault?) {
    self.device = device
    self.vault = vault
  }

  /// The passkey that was created last.
  var made: Made? { seen.withLock { (seen) in seen.made } }

  /// The passkeys that the last assertion returned, in the device's order.
  var found: [Found] {
    let ids = seen.withLock { (seen) in seen.found }
    let passkeys = passkeys
    return ids.map { (id) in Found(id: id, created: passkeys.first { (passkey) in passkey.id == id }?.created) }
  }

  func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    let before = command == .makeCredential ? passkeys : []
    let reply = try await device.perform(command, parameters)
    switch command {
    case .makeCredential:
      let made = made(reply, before)
      seen.withLock { (seen) in seen.made = made }
    case .getAssertion:
      let id = Self.credential(in: reply)
      seen.withLock { (seen) in seen.found = id.map { (id) in [id] } ?? [] }
    case .getNextAssertion:
      if let id = Self.credential(in: reply) { seen.withLock { (seen) in seen.found.append(id) } }
    default: break
    }
    return reply
  }

  func cancel() async {
    await device.cancel()
  }

  /// The passkeys in the vault. Read errors are ignored here; callers that need the contents report them.
  private var passkeys: [StoredPasskey] { (try? vault?.read().passkeys) ?? [] }

  private func made(_ reply: Bytes, _ before: [StoredPasskey]) -> Made? {
    guard let read = try? MakeCredentialReply(parsing: reply),
      let bytes = read.authenticatorData.attestedCredentialData?.credentialID, let id = try? CredentialID(bytes)
    else { return nil }
    let after = passkeys
    let new = after.first { (passkey) in passkey.id == id }
    let replaced = before.filter { (passkey) in
      passkey.relyingPartyIDHash == new?.relyingPartyIDHash && passkey.user?.id == new?.user?.id
        && !after.contains { (other) in other.id == passkey.id }
    }
    return Made(id: id, isInVault: new != nil, replaced: replaced)
  }

  private static func credential(in reply: Bytes) -> CredentialID? {
    (try? GetAssertionReply(parsing: reply))?.credential?.id
  }
}
