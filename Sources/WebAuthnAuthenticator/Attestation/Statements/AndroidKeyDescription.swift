// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
internal import WireFormats

// KeyDescription ::= SEQUENCE {                                     (Android documentation, "Key attestation schema")
//   attestationVersion       INTEGER,
//   attestationSecurityLevel ENUMERATED,
//   keyMintVersion           INTEGER,
//   keyMintSecurityLevel     ENUMERATED,
//   attestationChallenge     OCTET STRING,
//   uniqueId                 OCTET STRING,
//   softwareEnforced         AuthorizationList,
//   hardwareEnforced         AuthorizationList }  -- teeEnforced in the standard's words

/// What Android's key store says about a key, in its certificate.
public struct AndroidKeyDescription: Hashable, Sendable {
  /// The version of this structure.
  public var attestationVersion: Int64 = 300
  /// Who attests: software (0), a trusted execution environment (1) or a chip of its own (2).
  public var attestationSecurityLevel: Int64 = 1
  /// The version of the key store's hardware interface.
  public var keyMintVersion: Int64 = 300
  /// Where the key is: as above.
  public var keyMintSecurityLevel: Int64 = 1
  /// What the caller wanted certified: the hash of the client data.
  public var attestationChallenge: [UInt8]
  /// What Android holds to.
  public var softwareEnforced = AndroidAuthorizationList()
  /// What the trusted execution environment holds to.
  public var trustedEnvironmentEnforced = AndroidAuthorizationList(purposes: [.sign], origin: .generated)

  /// The description of a key that was made inside to sign, for this ceremony.
  public init(of subject: AttestationSubject) {
    attestationChallenge = [UInt8](subject.clientDataHash)
  }
}

/// The properties of a key that one side of a phone enforces.
public struct AndroidAuthorizationList: Hashable, Sendable {
  /// What the key is for.
  public var purposes: [Purpose] = []
  /// Whether every application may use it.
  public var allApplications = false
  /// Where it was made.
  public var origin: Origin?
  /// How the phone was booted.
  public var rootOfTrust: RootOfTrust?
  /// The security patch level of Android: 202405 is May 2024.
  public var osPatchLevel: Int64?

  /// What a key is for.
  public enum Purpose: Int64, Sendable {
    /// To encrypt.
    case encrypt = 0
    /// To decrypt.
    case decrypt = 1
    /// To sign: the one purpose that a credential's key may have.
    case sign = 2
    /// To verify.
    case verify = 3
  }

  /// Where a key was made.
  public enum Origin: Int64, Sendable {
    /// In the keystore: the one origin that a credential's key may have.
    case generated = 0
    /// In the keystore, out of another.
    case derived = 1
    /// Elsewhere.
    case imported = 2
  }

  /// How a phone was booted.
  public struct RootOfTrust: Hashable, Sendable {
    /// The hash of the key that verified the boot image.
    public var verifiedBootKey: [UInt8]
    /// Whether the bootloader is locked.
    public var isDeviceLocked: Bool
    /// The result: verified (0), by the user's key (1), not verified (2), failed (3).
    public var verifiedBootState: Int64

    /// Describes a boot.
    public init(verifiedBootKey: [UInt8], isDeviceLocked: Bool = true, verifiedBootState: Int64 = 0) {
      self.verifiedBootKey = verifiedBootKey
      self.isDeviceLocked = isDeviceLocked
      self.verifiedBootState = verifiedBootState
    }
  }

  /// Puts a list together.
  public init(purposes: [Purpose] = [], allApplications: Bool = false, origin: Origin? = nil) {
    self.purposes = purposes
    self.allApplications = allApplications
    self.origin = origin
  }
}

extension CertificateExtension {
  /// The extension in which Android's key store describes a key.
  public static func androidKeyDescription(_ description: AndroidKeyDescription) -> Self {
    making([1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]) { description.write(to: &$0) }
  }
}

extension AndroidKeyDescription {
  fileprivate func write(to writer: inout DERWriter) {
    writer.writeSequence { (writer) in
      writer.writeInteger(attestationVersion)
      writer.writeEnumerated(attestationSecurityLevel)
      writer.writeInteger(keyMintVersion)
      writer.writeEnumerated(keyMintSecurityLevel)
      writer.writeOctetString(attestationChallenge[...])
      writer.writeOctetString([])
      softwareEnforced.write(to: &writer)
      trustedEnvironmentEnforced.write(to: &writer)
    }
  }
}

extension AndroidAuthorizationList {
  fileprivate func write(to writer: inout DERWriter) {
    writer.writeSequence { (writer) in
      if !purposes.isEmpty {
        writer.writeExplicit(1) { (writer) in
          writer.writeSetOf(purposes) { (writer, purpose) in writer.writeInteger(purpose.rawValue) }
        }
      }
      if allApplications { writer.writeExplicit(600) { $0.writeNull() } }
      if let origin { writer.writeExplicit(702) { $0.writeInteger(origin.rawValue) } }
      if let rootOfTrust { writer.writeExplicit(704) { rootOfTrust.write(to: &$0) } }
      if let osPatchLevel { writer.writeExplicit(706) { $0.writeInteger(osPatchLevel) } }
    }
  }
}

extension AndroidAuthorizationList.RootOfTrust {
  fileprivate func write(to writer: inout DERWriter) {
    writer.writeSequence { (writer) in
      writer.writeOctetString(verifiedBootKey[...])
      writer.writeBoolean(isDeviceLocked)
      writer.writeEnumerated(verifiedBootState)
    }
  }
}
