// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAuthenticator

// KeyDescription ::= SEQUENCE {                                     (Android documentation, "Key attestation schema")
//   attestationVersion       INTEGER,
//   attestationSecurityLevel ENUMERATED,
//   keyMintVersion           INTEGER,
//   keyMintSecurityLevel     ENUMERATED,
//   attestationChallenge     OCTET STRING,
//   uniqueId                 OCTET STRING,
//   softwareEnforced         AuthorizationList,
//   hardwareEnforced         AuthorizationList }  -- WebAuthn calls it teeEnforced

/// The key description in an Android key attestation certificate.
package struct AndroidKeyDescription: Hashable, Sendable {
  /// The version of this structure.
  package var attestationVersion: Int64 = 300
  /// The attestation security level: software (0), trusted execution environment (1) or StrongBox (2).
  package var attestationSecurityLevel: Int64 = 1
  /// The version of the KeyMint interface.
  package var keyMintVersion: Int64 = 300
  /// The security level of the key: as above.
  package var keyMintSecurityLevel: Int64 = 1
  /// The attestation challenge: the client data hash.
  package var attestationChallenge: [UInt8]
  /// The properties enforced by Android.
  package var softwareEnforced = AndroidAuthorizationList()
  /// The properties enforced by the trusted execution environment.
  package var trustedEnvironmentEnforced = AndroidAuthorizationList(purposes: [.sign], origin: .generated)

  /// Creates a description of a signing key generated in the key store, for this ceremony.
  package init(of subject: AttestationSubject) {
    attestationChallenge = [UInt8](subject.clientDataHash)
  }
}

/// The key properties enforced by Android or by the trusted execution environment.
package struct AndroidAuthorizationList: Hashable, Sendable {
  /// The permitted key operations.
  package var purposes: [Purpose] = []
  /// Whether every application may use the key.
  package var allApplications = false
  /// The origin of the key.
  package var origin: Origin?
  /// The verified boot state of the device.
  package var rootOfTrust: RootOfTrust?
  /// The security patch level of Android: 202405 is May 2024.
  package var osPatchLevel: Int64?

  /// A permitted key operation.
  package enum Purpose: Int64, Sendable {
    /// Encryption.
    case encrypt = 0
    /// Decryption.
    case decrypt = 1
    /// Signing, the only purpose allowed for a credential key.
    case sign = 2
    /// Signature verification.
    case verify = 3
  }

  /// The origin of a key.
  package enum Origin: Int64, Sendable {
    /// Generated in the key store, the only origin allowed for a credential key.
    case generated = 0
    /// Derived in the key store from another key.
    case derived = 1
    /// Imported into the key store.
    case imported = 2
  }

  /// The verified boot state of a device.
  package struct RootOfTrust: Hashable, Sendable {
    /// The hash of the key that verified the boot image.
    package var verifiedBootKey: [UInt8]
    /// Whether the bootloader is locked.
    package var isDeviceLocked: Bool
    /// The verified boot state: verified (0), self-signed (1), unverified (2) or failed (3).
    package var verifiedBootState: Int64

    /// Creates a boot state.
    package init(verifiedBootKey: [UInt8], isDeviceLocked: Bool = true, verifiedBootState: Int64 = 0) {
      self.verifiedBootKey = verifiedBootKey
      self.isDeviceLocked = isDeviceLocked
      self.verifiedBootState = verifiedBootState
    }
  }

  /// Creates an authorization list.
  package init(purposes: [Purpose] = [], allApplications: Bool = false, origin: Origin? = nil) {
    self.purposes = purposes
    self.allApplications = allApplications
    self.origin = origin
  }
}

extension CertificateExtension {
  /// Returns the Android key attestation extension.
  package static func androidKeyDescription(_ description: AndroidKeyDescription) -> Self {
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
