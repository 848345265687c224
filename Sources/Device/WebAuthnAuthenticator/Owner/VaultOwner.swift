// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import PasskeyCrypto
package import WebAuthnTypes

/// Administrative access to an open vault, without a device and without its PIN.
public struct VaultOwner: Sendable {
  let vault: any Vault
  let random: RandomSource

  /// Creates access to an open vault.
  public init(of vault: any Vault, random: RandomSource = .system) {
    self.vault = vault
    self.random = random
  }

  /// Returns all passkeys, in creation order.
  ///
  /// - Throws: `OTHER` if the vault cannot be read.
  public func passkeys() throws(CTAPError) -> [StoredPasskey] {
    try vault.read().passkeys
  }

  /// Changes the user's name or display name of a passkey. Nil leaves a name unchanged, and an empty string removes it.
  /// Names are truncated to the length that a device stores.
  ///
  /// - Throws: `NO_CREDENTIALS` for an unknown passkey, `NOT_ALLOWED` for a U2F credential, `OTHER` if the vault
  ///   cannot be read or written.
  public func rename(
    _ id: CredentialID, name: String? = nil, displayName: String? = nil
  ) throws(CTAPError) {
    try change(id) { (passkey) throws(CTAPError) in
      guard passkey.user != nil else { throw CTAPError(.notAllowed, "a U2F credential has no user") }
      if let name { passkey.user?.name = name.isEmpty ? nil : name }
      if let displayName { passkey.user?.displayName = displayName.isEmpty ? nil : displayName }
      passkey.user = passkey.user?.truncated
    }
  }

  /// Deletes a passkey.
  ///
  /// - Throws: `NO_CREDENTIALS` for an unknown passkey, `OTHER` if the vault cannot be read or written.
  public func delete(_ id: CredentialID) throws(CTAPError) {
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.passkeys.firstIndex(where: { (passkey) in passkey.id == id }) else {
        throw CTAPError(.noCredentials)
      }
      state.passkeys.remove(at: index)
      state.noteCredentialChange()
    }
  }

  /// Reverts a registration: deletes the new passkey, which no relying party knows yet, and restores the passkeys that
  /// it replaced. Skips a passkey that has been replaced again in the meantime.
  ///
  /// - Throws: `NO_CREDENTIALS` for an unknown passkey, `OTHER` if the vault cannot be read or written.
  package func undo(making id: CredentialID, inPlaceOf replaced: [StoredPasskey]) throws(CTAPError) {
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.passkeys.firstIndex(where: { (passkey) in passkey.id == id }) else {
        throw CTAPError(.noCredentials)
      }
      state.passkeys.remove(at: index)
      state.restore(replaced)
      state.noteCredentialChange()
    }
  }

  /// Sets whether copies of a backup-eligible passkey exist. Assertions report this in the BS flag.
  ///
  /// - Throws: `NO_CREDENTIALS` for an unknown passkey, `NOT_ALLOWED` for a device-bound one, `OTHER` if the vault
  ///   cannot be read or written.
  public func setBackedUp(_ isBackedUp: Bool, _ id: CredentialID) throws(CTAPError) {
    try change(id) { (passkey) throws(CTAPError) in
      guard passkey.isBackupEligible else { throw CTAPError(.notAllowed, "the passkey is bound to its device") }
      passkey.isBackedUp = isBackedUp
    }
  }

  /// Enrolls the owner's confirmation as the interaction's finger 0, so that it verifies the user until a PIN is set.
  /// Does nothing if a PIN is set or the owner is already enrolled.
  ///
  /// - Throws: `FP_DATABASE_FULL` with the maximum number of fingers, `OTHER` if the vault cannot be read or written.
  package func enrollOwner() throws(CTAPError) {
    let state = try vault.read()
    // Do not write an unchanged state.
    guard state.pin == nil, !state.fingers.contains(where: { (finger) in finger.isOwners }) else { return }
    try vault.update { (state) throws(CTAPError) in try state.enrollOwner() }
  }

  /// Enrolls a finger with the simulated sensor, by the number that the interaction reports for it.
  ///
  /// - Throws: `FP_DATABASE_FULL` with the maximum number of fingers, `OTHER` if the vault cannot be read or written.
  public func enroll(finger: UInt8) throws(CTAPError) {
    try vault.update { [random] (state) throws(CTAPError) in
      guard !state.fingers.contains(where: { (known) in known.finger == finger }) else { return }
      guard state.fingers.count < DeviceLimits.maximumFingers else { throw CTAPError(.fingerprintDatabaseFull) }
      state.fingers.append(try EnrolledFinger(finger, random: random))
    }
  }

  /// Returns whether a PIN is set.
  ///
  /// - Throws: `OTHER` if the vault cannot be read.
  public func hasPIN() throws(CTAPError) -> Bool {
    try vault.read().pin != nil
  }

  /// Sets or replaces the PIN, with all its attempts. Replaces the persistent token, and reverts `enrollOwner()`.
  ///
  /// - Throws: `PIN_POLICY_VIOLATION` for a PIN that is too short, too long or too simple, `OTHER` if the vault
  ///   cannot be read or written.
  public func setPIN(_ pin: SecretBytes) throws(CTAPError) {
    let persistentToken = try PINUVAuthToken.randomBytes(random)
    try vault.update { (state) throws(CTAPError) in
      state.set(try NewPIN(pin, settings: state.settings).state)
      state.settings.forcesPINChange = false
      state.persistentToken = persistentToken
    }
  }

  /// Restores the factory state of the vault: deletes passkeys, PIN, fingers and settings.
  ///
  /// - Throws: `OTHER` if the vault cannot be read or written.
  public func reset() throws(CTAPError) {
    let factory = try mapError(DeviceState.factory(random: random), CTAPError.init(other:))
    try vault.update { (state) in state = factory }
  }

  private func change(
    _ id: CredentialID, _ change: (inout StoredPasskey) throws(CTAPError) -> Void
  ) throws(CTAPError) {
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.passkeys.firstIndex(where: { (passkey) in passkey.id == id }) else {
        throw CTAPError(.noCredentials)
      }
      try change(&state.passkeys[index])
      state.noteCredentialChange()
    }
  }
}
