// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes

extension DeviceState {
  /// How many more credentials the vault has room for. Those that live in their ids need none.
  var remainingCredentialCount: Int { max(0, DeviceLimits.maximumCredentials - passkeys.count) }

  /// The credential with this id, if it is for that relying party.
  func passkey(_ id: CredentialID, of relyingPartyIDHash: [UInt8]) -> StoredPasskey? {
    passkeys.first { (passkey) in passkey.id == id && passkey.relyingPartyIDHash == relyingPartyIDHash }
  }

  /// Keeps a new credential. A discoverable one takes the place of that which the same user had with the same relying
  /// party (CTAP 2.3 §6.1.2, step 17); so does any that has the id of another, as only a preset one can.
  mutating func add(_ passkey: StoredPasskey) throws(CTAPError) {
    passkeys.removeAll { (other) in other.id == passkey.id || passkey.takesPlace(of: other) }
    guard remainingCredentialCount > 0 else {
      throw CTAPError(.keyStoreFull, "\(DeviceLimits.maximumCredentials) credentials")
    }
    passkeys.append(passkey)
    nextSequence = max(nextSequence, passkey.sequence &+ 1)
    noteCredentialChange()
  }

  /// Puts credentials back, each into the place that it had in the order of making, unless another has its place or there
  /// is no room.
  mutating func restore(_ former: [StoredPasskey]) {
    for passkey in former where remainingCredentialCount > 0 {
      let isTaken = passkeys.contains { (other) in other.id == passkey.id || passkey.takesPlace(of: other) }
      guard !isTaken else { continue }
      let index = passkeys.firstIndex { (other) in other.sequence > passkey.sequence } ?? passkeys.endIndex
      passkeys.insert(passkey, at: index)
    }
  }

  /// Makes the state of the credential store another one, as after each change of what is in it (§6.4,
  /// encCredStoreState). It follows from the one before, and only the device knows either.
  mutating func noteCredentialChange() {
    identity.credentialStoreState = identity.credentialStoreState.withBytes { (state) in
      SecretBytes(Digest.sha256(state).prefix(DeviceIdentity.byteCount))
    }
  }
}

extension StoredPasskey {
  fileprivate func takesPlace(of other: StoredPasskey) -> Bool {
    guard isDiscoverable, other.isDiscoverable, let user else { return false }
    return other.user?.id == user.id && other.relyingPartyIDHash == relyingPartyIDHash
  }
}
