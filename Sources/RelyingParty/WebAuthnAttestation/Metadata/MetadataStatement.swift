// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// A vendor's statement about an authenticator model (FIDO Metadata Statement 3.0).
///
/// Only the members that affect verification are modeled; `json` contains all members.
package struct MetadataStatement: Sendable {
  /// The certificates that vouch for the model: roots, intermediate CAs, or the attestation certificates themselves.
  package let trustStore: TrustStore

  /// The number of unreadable certificates. They are ignored; the others still vouch for the model.
  package let unreadableCertificateCount: Int

  /// The attestation types of the model.
  package let attestationTypes: [MetadataAttestationType]

  /// The key protection methods of the model.
  package let keyProtection: Set<KeyProtection>

  /// The attestation formats that the model lists in `authenticatorGetInfo` (CTAP 2.3 §6.4, `attestationFormats`); nil
  /// if it lists none.
  package let listedFormats: Set<AttestationFormat>?

  /// The protocol versions that the model lists in `authenticatorGetInfo`, such as `FIDO_2_1` and `U2F_V2`.
  package let protocolVersions: Set<String>

  /// The whole statement.
  package let json: JSONValue

  init(_ json: JSONValue, _ reader: inout MetadataCertificates) throws(WireError) {
    var anchors: [X509Certificate] = []
    var unreadable = 0
    if let list = try json["attestationRootCertificates"]?.unlessNull {
      for item in try list.array {
        if let certificates = reader.certificates(in: try item.utf8) {
          anchors += certificates
        } else {
          unreadable += 1
        }
      }
    }
    trustStore = TrustStore(anchors)
    unreadableCertificateCount = unreadable
    var types: [MetadataAttestationType] = []
    if let list = try json["attestationTypes"]?.unlessNull {
      for item in try list.array { types.append(MetadataAttestationType(rawValue: try item.string)) }
    }
    attestationTypes = types
    keyProtection = (try? Self.keyProtection(json)) ?? []
    let information = (try? json["authenticatorGetInfo"]?.unlessNull).flatMap { $0 }
    // A list that cannot be read has no format.
    listedFormats = (try? information?["attestationFormats"]?.unlessNull).flatMap { $0 }.map { _ in
      Set((information?.texts("attestationFormats") ?? []).map(AttestationFormat.init(rawValue:)))
    }
    protocolVersions = Set(information?.texts("versions") ?? [])
    self.json = json
  }

  /// The English name of the model.
  package var description: String? { text("description") }

  /// The protocol family of the model: `fido2`, `u2f` or `uaf`.
  package var protocolFamily: String? { text("protocolFamily") }

  /// The icon of the model, as a data: URL.
  package var icon: String? { text("icon") }

  /// The lowest firmware version to which the statement applies.
  package var authenticatorVersion: UInt64? {
    (try? json["authenticatorVersion"]?.unlessNull?.uint64).flatMap { $0 }
  }

  /// The key protection methods. An unreadable list counts as empty; the statement's anchors remain valid.
  private static func keyProtection(_ json: JSONValue) throws(WireError) -> Set<KeyProtection> {
    var protection: Set<KeyProtection> = []
    for item in try json.require("keyProtection").array { protection.insert(KeyProtection(rawValue: try item.string)) }
    return protection
  }

  private func text(_ name: String) -> String? {
    (try? json[name]?.unlessNull?.string).flatMap { $0 }
  }
}

extension JSONValue {
  /// Returns a list of strings; nil if the member is missing or has another type.
  fileprivate func texts(_ name: String) -> [String]? {
    guard let list = (try? self[name]?.unlessNull?.array).flatMap({ $0 }) else { return nil }
    return try? list.map { (item) throws(WireError) in try item.string }
  }
}

/// A parser of certificates that caches those that occur in several statements.
struct MetadataCertificates {
  private var known: [Bytes: [X509Certificate]?] = [:]

  /// Returns one certificate, or several concatenated ones as one vendor publishes them; nil if they are malformed.
  ///
  /// Ignores white space in and around the base64: one entry of the real BLOB starts with a tab.
  mutating func certificates(in base64: Bytes) -> [X509Certificate]? {
    if let known = known[base64] { return known }
    let certificates = (try? Base64.decodeLeniently(base64)).flatMap { try? X509Certificate.readAll(der: $0) }
    known[base64] = .some(certificates)
    return certificates
  }
}

/// A key protection method of an authenticator, by its name in metadata (FIDO Registry §3.2). An open set.
package struct KeyProtection: OpenString {
  /// The name.
  package let rawValue: String

  /// Creates a method from its name, known or not.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Software only.
  package static let software = Self(rawValue: "software")
  /// Hardware of any kind. A model with a specific kind lists this one too.
  package static let hardware = Self(rawValue: "hardware")
  /// A trusted execution environment.
  package static let trustedExecutionEnvironment = Self(rawValue: "tee")
  /// A secure element.
  package static let secureElement = Self(rawValue: "secure_element")
  /// The authenticator stores no keys: the credential IDs contain them, wrapped.
  package static let remoteHandle = Self(rawValue: "remote_handle")
}

/// An attestation type, by its name in metadata (FIDO Registry §3.6.3). An open set.
package struct MetadataAttestationType: OpenString {
  /// The name.
  package let rawValue: String

  /// Creates a type from its name, known or not.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A key that a batch of devices shares.
  package static let basicFull = Self(rawValue: "basic_full")
  /// The credential key itself: self attestation.
  package static let basicSurrogate = Self(rawValue: "basic_surrogate")
  /// An authority that identified the device.
  package static let attestationCA = Self(rawValue: "attca")
  /// An authority that certifies each credential.
  package static let anonymizationCA = Self(rawValue: "anonca")
  /// No attestation.
  package static let none = Self(rawValue: "none")
}
