// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import WebAuthnAttestation
import WebAuthnTypes

/// A registration of our own vectors or of the shared ones, reduced to the attestation.
struct RegistrationCase: Sendable, CustomStringConvertible {
  let id: String
  let anchors: [X509Certificate]?
  let time: UnixTime
  var attestationObject: [UInt8]
  let clientDataHash: [UInt8]
  let isAccepted: Bool
  let format: String?
  let type: String?

  /// The expected error code of the attestation, where a vector of our own lists it.
  let refusal: String?

  var description: String { id }

  private static let shared = [
    "w3c-level3.json", "peers/go-webauthn.json", "peers/java-webauthn-server.json", "peers/webauthn-ruby.json",
    "peers/webauthn-swift.json", "peers/webauthn4j.json",
  ]

  /// Our own cases and, where they are present, the shared ones.
  static let all: [RegistrationCase] = (try? load()) ?? []

  private static func load() throws -> [RegistrationCase] {
    let own = try ["Vectors", "Vectors/w3c"].flatMap { (folder) in
      try File.names(in: "\(projectFolder)/\(folder)").sorted()
        .filter { $0.hasSuffix(".json") && ($0.hasPrefix("attestation-") || folder == "Vectors/w3c") }
        .map { try File.bytes("\(projectFolder)/\(folder)/\($0)") }
    }
    let others = SharedVectors.arePresent ? try shared.map { try SharedVectors.bytes($0) } : []
    return try (own + others).flatMap { file in
      try JSON.parse(file, maximumSize: 1 << 24).require("cases").array.filter(isJudgedHere).map(Self.init)
    }
  }

  /// Whether a case is a registration that needs no policy but its anchors.
  private static func isJudgedHere(_ json: JSONValue) throws -> Bool {
    let needed = ["policy", "metadata", "revocationLists", "statusLists", "rogueLists", "knownAuthorities"]
    return try json.require("ceremony").string == "registration" && needed.allSatisfy { try json[$0] == nil }
  }

  static func named(_ id: String) throws -> RegistrationCase {
    guard let found = all.first(where: { $0.id == id }) else { throw Missing(id: id) }
    return found
  }

  struct Missing: Error { let id: String }

  private init(_ json: JSONValue) throws {
    id = try json.require("id").string
    anchors = try json["trustAnchors"].map { list in
      try list.array.map { try X509Certificate(der: $0.base64URL[...]) }
    }
    time = try json["time"]?.unlessNull.map { try UnixTime(rfc3339: $0.string) } ?? Moment.y2030
    let response = try json.require("response").require("response")
    attestationObject = try response.require("attestationObject").base64URL
    clientDataHash = Digest.sha256(try response.require("clientDataJSON").base64URL[...])
    let expect = try json.require("expect")
    isAccepted = try expect.require("verified").bool
    format = try expect["attestation"]?.require("format").string
    type = try expect["attestation"]?.require("type").string
    refusal = try expect["causes"]?.array.map { try $0.string }.first
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
