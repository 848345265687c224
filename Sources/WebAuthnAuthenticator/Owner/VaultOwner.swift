// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// What the owner of a vault may do without a device: whoever has opened it needs no PIN.
public struct VaultOwner: Sendable {
  private let vault: any Vault
  private let random: RandomSource

  /// The owner of an open vault.
  public init(of vault: any Vault, random: RandomSource = .system) {
    self.vault = vault
    self.random = random
  }

  /// All passkeys, in the order in which they were made.
  public func passkeys() throws(CTAPError) -> [StoredPasskey] {
    try vault.read().passkeys
  }

  /// Gives the user of a passkey another name, or display name; an empty one is taken away, and one that is longer than a
  /// device stores is cut as a device cuts it.
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
  public func delete(_ id: CredentialID) throws(CTAPError) {
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.passkeys.firstIndex(where: { (passkey) in passkey.id == id }) else {
        throw CTAPError(.noCredentials)
      }
      state.passkeys.remove(at: index)
      state.noteCredentialChange()
    }
  }

  /// Deletes a passkey that was just made and that nobody has heard of, and puts back those in whose place it was made.
  /// One whose place is taken by now is not put back.
  public func undo(making id: CredentialID, inPlaceOf replaced: [StoredPasskey]) throws(CTAPError) {
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.passkeys.firstIndex(where: { (passkey) in passkey.id == id }) else {
        throw CTAPError(.noCredentials)
      }
      state.passkeys.remove(at: index)
      state.restore(replaced)
      state.noteCredentialChange()
    }
  }

  /// Takes in a passkey from elsewhere. It keeps its id and its key, and from now on it is as if it had been made here:
  /// it may move on, and its counter stays at zero. It takes no other's place: where the user has a passkey with the
  /// relying party already, that one is to be deleted first.
  public func add(_ portable: PortablePasskey, at time: Timestamp) throws(CTAPError) {
    try vault.update { [random] (state) throws(CTAPError) in
      guard portable.id.bytes.count <= DeviceLimits.maximumCredentialIDByteCount else {
        throw CTAPError(.limitExceeded, "the credential's id is longer than a device can be asked for")
      }
      guard !state.passkeys.contains(where: { (passkey) in passkey.id == portable.id }) else {
        throw CTAPError(.credentialExcluded, "a passkey with this id is there")
      }
      let passkey = try portable.stored(sequence: state.nextSequence, at: time, random: random)
      let count = state.passkeys.count
      try state.add(passkey)
      guard state.passkeys.count > count else {
        throw CTAPError(.credentialExcluded, "the user has a passkey for \(portable.relyingPartyID.text) already")
      }
    }
  }

  /// The passkey in a form that may leave. One that is bound to its device, or whose counter counts, does not.
  public func export(_ id: CredentialID) throws(CTAPError) -> PortablePasskey {
    guard let passkey = try vault.read().passkeys.first(where: { (passkey) in passkey.id == id }) else {
      throw CTAPError(.noCredentials)
    }
    return try PortablePasskey(passkey)
  }

  /// Notes that a passkey that may be copied has been, or that its copies are gone: assertions say so (BS).
  public func setBackedUp(_ isBackedUp: Bool, _ id: CredentialID) throws(CTAPError) {
    try change(id) { (passkey) throws(CTAPError) in
      guard passkey.isBackupEligible else { throw CTAPError(.notAllowed, "the passkey is bound to its device") }
      passkey.isBackedUp = isBackedUp
    }
  }

  /// Has the yes of whoever opened the vault verify its user: the interaction's finger 0, until a PIN is set, which does so
  /// then. Where there is one already, nothing is changed.
  public func enrollOwner() throws(CTAPError) {
    let state = try vault.read()
    // Nothing is written where nothing changes.
    guard state.pin == nil, !state.fingers.contains(where: { (finger) in finger.isOwners }) else { return }
    try vault.update { (state) throws(CTAPError) in try state.enrollOwner() }
  }

  /// Has the simulated sensor know a finger, by the number that the interaction gives for it.
  public func enroll(finger: UInt8) throws(CTAPError) {
    try vault.update { [random] (state) throws(CTAPError) in
      guard !state.fingers.contains(where: { (known) in known.finger == finger }) else { return }
      guard state.fingers.count < DeviceLimits.maximumFingers else { throw CTAPError(.fingerprintDatabaseFull) }
      state.fingers.append(try EnrolledFinger(finger, random: random))
    }
  }

  /// Whether there is a PIN.
  public func hasPIN() throws(CTAPError) -> Bool {
    try vault.read().pin != nil
  }

  /// Sets the PIN, whatever it was, with all attempts. Tokens that were made with the old one end, and so does
  /// what ``enrollOwner()`` did.
  public func setPIN(_ pin: SecretBytes) throws(CTAPError) {
    let persistentToken = try PINUVAuthToken.freshBytes(random)
    try vault.update { (state) throws(CTAPError) in
      state.set(try NewPIN(pin, settings: state.settings).state)
      state.settings.forcesPINChange = false
      state.persistentToken = persistentToken
    }
  }

  /// Makes the vault what it was when it was made: passkeys, PIN, fingers and settings are gone.
  public func reset() throws(CTAPError) {
    let factory = try CTAPError.wrapping { [random] () throws(CryptoError) in try DeviceState.factory(random: random) }
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
