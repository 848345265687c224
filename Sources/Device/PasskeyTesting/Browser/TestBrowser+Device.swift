// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

extension TestBrowser {
  /// A device that holds passkeys in memory.
  public final class Device: Sendable {
    /// The kind of a device.
    public enum Kind: Hashable, Sendable {
      /// A phone: a finger verifies the user, passkeys are discoverable, backed up and do not count.
      case phone
      /// A security key with a fingerprint sensor: passkeys are bound to it and count their signatures.
      case securityKey
      /// A security key that cannot verify its user: it only tests for a touch.
      case touchOnlyKey
    }

    /// The user of a device.
    public enum User: Hashable, Sendable {
      /// Agrees to everything.
      case agrees
      /// Refuses everything.
      case refuses
      /// Touches the device with a finger that it does not know.
      case isSomeoneElse
    }

    /// A passkey on a device.
    public struct Passkey: Hashable, Sendable {
      /// The credential ID.
      public let id: [UInt8]
      /// The RP ID.
      public let relyingPartyID: String
      /// The user handle.
      public let userHandle: [UInt8]
      /// The user name.
      public let userName: String?
      /// The signature counter; 0 if the passkey does not count.
      public let signCount: UInt32
    }

    /// The clock of the device.
    public let clock: Clock

    let authenticator: SoftwareAuthenticator
    private let kind: Kind
    private let vault: MemoryVault
    private let owner: Locked<User>
    private let seed: String

    /// Creates a device without passkeys.
    ///
    /// - Parameters:
    ///   - kind: What it can do.
    ///   - seed: What its keys and identifiers follow from.
    ///   - clock: Its clock.
    /// - Throws: ``Failure/device(_:)`` if the cryptography library fails.
    public convenience init(_ kind: Kind = .phone, seed: String, clock: Clock = Clock()) throws(Failure) {
      do {
        let random = RandomSource.seeded(Array(seed.utf8), label: "vault")
        let vault = MemoryVault(try .factory(random: random))
        if kind != .touchOnlyKey { try VaultOwner(of: vault, random: random).enroll(finger: 0) }
        try self.init(kind, vault, seed: seed, clock: clock)
      } catch {
        throw .device("\(error)")
      }
    }

    private init(_ kind: Kind, _ vault: MemoryVault, seed: String, clock: Clock) throws(PasskeyCryptoError) {
      self.kind = kind
      self.vault = vault
      self.seed = seed
      self.clock = clock
      owner = Locked(.agrees)
      var profile: AuthenticatorProfile = kind == .phone ? .passkeyProvider : .securityKey
      profile.hasFingerprintSensor = kind != .touchOnlyKey
      // A key in its own ID could not sign a response with a fault again.
      profile.sealsNonDiscoverableCredentials = false
      profile.signing = .deterministic
      authenticator = try SoftwareAuthenticator(
        vault: vault, profile: profile, interaction: OwnerInteraction(owner: owner),
        random: .seeded(Array(seed.utf8), label: "device"), clock: DeviceClock(clock: clock))
    }

    /// The behavior of the user from now on.
    public var user: User {
      get { owner.withLock { $0 } }
      set { owner.withLock { $0 = newValue } }
    }

    /// The passkeys on the device, in the order in which they were made.
    ///
    /// - Throws: ``Failure/device(_:)`` if the device fails.
    public var passkeys: [Passkey] {
      get throws(Failure) {
        try stored().compactMap { (passkey) in
          guard let relyingPartyID = passkey.relyingPartyID, let user = passkey.user else { return nil }
          return Passkey(
            id: passkey.id.bytes, relyingPartyID: relyingPartyID, userHandle: user.id.bytes, userName: user.name,
            signCount: passkey.signCount)
        }
      }
    }

    /// Deletes a passkey, as its user can.
    ///
    /// - Throws: ``Failure/device(_:)`` if the device has no such passkey.
    public func delete(_ passkey: Passkey) throws(Failure) {
      do {
        try VaultOwner(of: vault).delete(CredentialID(passkey.id))
      } catch {
        throw .device("\(error)")
      }
    }

    /// Returns another device with the same passkeys: the user's second phone, or the clone of a thief.
    ///
    /// - Throws: ``Failure/device(_:)`` if the device fails.
    public func copy() throws(Failure) -> Device {
      do {
        return try Device(kind, MemoryVault(vault.read()), seed: seed + " copy", clock: clock)
      } catch {
        throw .device("\(error)")
      }
    }

    /// Returns the key of a passkey.
    func signingKey(of id: CredentialID) throws(Failure) -> SigningKey {
      guard let passkey = try stored().first(where: { $0.id == id }) else { throw .device("no passkey \(id)") }
      return try mapError(SigningKey(passkey.algorithm, pkcs8: passkey.privateKey)) { (error: PasskeyCryptoError) in
        Failure.device("\(error)")
      }
    }

    private func stored() throws(Failure) -> [StoredPasskey] {
      try mapError(vault.read()) { (error: CTAPError) in Failure.device("\(error)") }.passkeys
    }
  }

  /// A clock that stands still until a test moves it.
  public final class Clock: Sendable {
    private let seconds: Locked<Int64>

    /// Creates a clock that shows this time [1 January 2030].
    public init(secondsSince1970: Int64 = 1_893_456_000) {
      seconds = Locked(secondsSince1970)
    }

    /// The time.
    public var secondsSince1970: Int64 { seconds.withLock { $0 } }

    /// Moves the clock.
    public func advance(by duration: Duration) {
      seconds.withLock { $0 += duration.components.seconds }
    }
  }
}

/// The clock of a device, which was switched on in 1970.
private struct DeviceClock: AuthenticatorClock {
  let clock: TestBrowser.Clock

  var now: UnixTime { UnixTime(secondsSince1970: clock.secondsSince1970) }
  var uptime: Duration { .seconds(clock.secondsSince1970) }
}

/// The user of a device.
private struct OwnerInteraction: UserInteraction {
  let owner: Locked<TestBrowser.Device.User>

  nonisolated(nonsending) func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    owner.withLock { $0 } == .refuses ? .refused : .confirmed
  }

  nonisolated(nonsending) func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    switch owner.withLock({ $0 }) {
    case .agrees: .finger(0)
    case .refuses: .refused
    case .isSomeoneElse: .finger(1)
    }
  }

  func cancel() async {}
}
