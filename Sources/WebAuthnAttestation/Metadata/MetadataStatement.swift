// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// What a maker says about a model of authenticators (FIDO Metadata Statement 3.0).
///
/// The members that a relying party judges by are read; all others, known or not, are in ``json``.
public struct MetadataStatement: Sendable {
  /// The certificates that vouch for the model: roots, authorities below a root, or the attestation certificates.
  public let trustStore: TrustStore

  /// How many of the certificates could not be read. They vouch for nothing, and the others do.
  public let unreadableCertificateCount: Int

  /// How the model attests.
  public let attestationTypes: [MetadataAttestationType]

  /// How the model protects its keys.
  public let keyProtection: Set<KeyProtection>

  /// The attestation formats that the model lists in `authenticatorGetInfo` (CTAP 2.3 §6.4, `attestationFormats`); nil
  /// if it lists none.
  public let listedFormats: Set<AttestationFormat>?

  /// The protocol versions that the model lists in `authenticatorGetInfo`, such as `FIDO_2_1` and `U2F_V2`.
  public let protocolVersions: Set<String>

  /// The whole statement.
  public let json: JSONValue

  init(_ json: JSONValue, _ reader: inout MetadataCertificates) throws(WireError) {
    var anchors: [Certificate] = []
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
    listedFormats = information?.texts("attestationFormats").map { Set($0.map(AttestationFormat.init(rawValue:))) }
    protocolVersions = Set(information?.texts("versions") ?? [])
    self.json = json
  }

  /// What the model is called, in English.
  public var description: String? { text("description") }

  /// The family of protocols that it speaks: `fido2`, `u2f` or `uaf`.
  public var protocolFamily: String? { text("protocolFamily") }

  /// A picture of it, as a data: URL.
  public var icon: String? { text("icon") }

  /// The lowest firmware version that the statement holds for.
  public var authenticatorVersion: UInt64? {
    (try? json["authenticatorVersion"]?.unlessNull?.uint64).flatMap { $0 }
  }

  /// A list that cannot be read protects nothing; the statement's anchors count all the same.
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
  /// A member that is a list of strings; nil if it is missing or something else.
  fileprivate func texts(_ name: String) -> [String]? {
    guard let list = (try? self[name]?.unlessNull?.array).flatMap({ $0 }) else { return nil }
    return try? list.map { (item) throws(WireError) in try item.string }
  }
}

/// Reads certificates once that stand in many statements.
struct MetadataCertificates {
  private var known: [Bytes: [Certificate]?] = [:]

  /// One certificate or, as one maker has them, several behind one another; nil where there is none.
  ///
  /// White space in and around the base64 is passed over: the real BLOB has a tab in front of one.
  mutating func certificates(in base64: Bytes) -> [Certificate]? {
    if let known = known[base64] { return known }
    let certificates = (try? Base64.decodeLeniently(base64)).flatMap { try? Certificate.readAll(der: $0[...]) }
    known[base64] = .some(certificates)
    return certificates
  }
}
