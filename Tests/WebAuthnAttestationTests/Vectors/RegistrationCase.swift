// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import WebAuthnAttestation
import WebAuthnTypes
import WireFormats

/// A registration of the shared vectors, reduced to the attestation.
struct RegistrationCase: Sendable, CustomStringConvertible {
  let id: String
  let anchors: [Certificate]?
  let time: Timestamp
  var attestationObject: [UInt8]
  let clientDataHash: [UInt8]
  let isAccepted: Bool
  let format: String?
  let type: String?

  var description: String { id }

  static let files = [
    "w3c-level3.json", "peers/go-webauthn.json", "peers/java-webauthn-server.json", "peers/webauthn-ruby.json",
    "peers/webauthn-swift.json", "peers/webauthn4j.json",
  ]

  static let all: [RegistrationCase] = SharedVectors.arePresent ? ((try? load()) ?? []) : []

  static func load() throws -> [RegistrationCase] {
    try files.flatMap { file in
      try JSON.parse(SharedVectors.bytes(file)[...], maximumSize: 1 << 24).require("cases").array
        .filter { try $0.require("ceremony").string == "registration" }.map(Self.init)
    }
  }

  static func named(_ id: String) throws -> RegistrationCase {
    guard let found = all.first(where: { $0.id == id }) else { throw Missing(id: id) }
    return found
  }

  struct Missing: Error { let id: String }

  private init(_ json: JSONValue) throws {
    id = try json.require("id").string
    anchors = try json["trustAnchors"].map { list in
      try list.array.map { try Certificate(der: $0.base64URL[...]) }
    }
    time = try json["time"]?.unlessNull.map { try Timestamp(rfc3339: $0.string) } ?? Moment.y2030
    let response = try json.require("response").require("response")
    attestationObject = try response.require("attestationObject").base64URL
    clientDataHash = Digest.sha256(try response.require("clientDataJSON").base64URL[...])
    let expect = try json.require("expect")
    isAccepted = try expect.require("verified").bool
    format = try expect["attestation"]?.require("format").string
    type = try expect["attestation"]?.require("type").string
  }

  /// Parses the attestation object and verifies the statement.
  func verify(_ policy: AttestationPolicy) throws -> AttestationOutcome {
    let object = try AttestationObject(parsing: attestationObject[...])
    guard let credential = object.authenticatorData.attestedCredentialData else { throw Missing(id: id) }
    return try AttestationVerifier(policy: policy).verify(
      object, credentialPublicKey: COSEKey(parsing: credential.credentialPublicKey),
      clientDataHash: clientDataHash[...], at: time)
  }

  /// A policy with the case's own anchors, if any. With anchors, unanchored attestation is refused.
  var policy: AttestationPolicy {
    var policy = AttestationPolicy()
    if let anchors {
      policy.trustAnchors = TrustAnchors(forEverything: anchors)
      policy.acceptableTrust = [.noAttestation, .selfAttestation]
    }
    return policy
  }
}
