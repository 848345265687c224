// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// A device whose answers are looked at on their way: which passkey was made, and among which there is to be chosen.
final class WatchedDevice: Authenticator {
  /// A passkey that was made.
  struct Made: Sendable {
    let id: CredentialID
    /// Whether it is in the vault, as far as that can be seen: a non-discoverable credential may be sealed in its id.
    let isInVault: Bool
    /// Those in whose place it was made, as far as that can be seen.
    let replaced: [StoredPasskey]
  }

  /// A passkey that signed.
  struct Found: Sendable {
    let id: CredentialID
    /// When it was made, as far as that can be seen.
    let created: Timestamp?
  }

  private struct Seen {
    var made: Made?
    var found: [CredentialID] = []
  }

  /// Where its passkeys are, where they are in a vault of ours.
  let vault: FileVault?

  private let device: any Authenticator
  private let seen = Locked(Seen())

  init(_ device: any Authenticator, vault: FileVault?) {
    self.device = device
    self.vault = vault
  }

  /// What was made last.
  var made: Made? { seen.withLock { (seen) in seen.made } }

  /// Whatever signed last, and where there are several to choose from all of them, in the device's order.
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

  /// What is in the vault; what cannot be read is told by who needs it.
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
