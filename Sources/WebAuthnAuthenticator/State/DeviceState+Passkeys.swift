// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes

extension DeviceState {
  /// The number of credentials that the vault has room for. Sealed credentials do not count.
  var remainingCredentialCount: Int { max(0, DeviceLimits.maximumCredentials - passkeys.count) }

  /// Returns the credential with this id and relying party.
  func passkey(_ id: CredentialID, of relyingPartyIDHash: [UInt8]) -> StoredPasskey? {
    passkeys.first { (passkey) in passkey.id == id && passkey.relyingPartyIDHash == relyingPartyIDHash }
  }

  /// Stores a new credential. A discoverable credential replaces the one that the same user has with the same relying
  /// party (CTAP 2.3 §6.1.2, step 17). A preset credential also replaces any credential with the same id.
  mutating func add(_ passkey: StoredPasskey) throws(CTAPError) {
    passkeys.removeAll { (other) in other.id == passkey.id || passkey.takesPlace(of: other) }
    guard remainingCredentialCount > 0 else {
      throw CTAPError(.keyStoreFull, "\(DeviceLimits.maximumCredentials) credentials")
    }
    passkeys.append(passkey)
    nextSequence = max(nextSequence, passkey.sequence &+ 1)
    noteCredentialChange()
  }

  /// Restores credentials at their original position in the creation order. Skips a credential that has been replaced,
  /// and stops when the vault is full.
  mutating func restore(_ former: [StoredPasskey]) {
    for passkey in former where remainingCredentialCount > 0 {
      let isTaken = passkeys.contains { (other) in other.id == passkey.id || passkey.takesPlace(of: other) }
      guard !isTaken else { continue }
      let index = passkeys.firstIndex { (other) in other.sequence > passkey.sequence } ?? passkeys.endIndex
      passkeys.insert(passkey, at: index)
    }
  }

  /// Changes the credential store state, as required after each change of the stored credentials (§6.4,
  /// encCredStoreState). The new state is derived from the previous one; only the device knows both.
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
