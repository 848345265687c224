// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

/// A builder for registrations: everything but the statement.
struct CeremonyForm {
  var aaguid = [UInt8](0..<16)
  var key: SigningKey
  /// Replaces the encoding of the key.
  var encodedKey: [UInt8]?
  var flags: UInt8 = 0x41
  var clientDataHash = [UInt8](repeating: 0x5c, count: 32)
  var time = Moment.y2030
  var policy = AttestationPolicy()
  var root: TestAuthority

  static let credentialID: [UInt8] = [0x0a, 0x0b, 0x0c]
  static let relyingPartyIDHash = [UInt8](repeating: 0xab, count: 32)

  /// Creates a ceremony whose root the policy trusts, without the tolerances for known test vectors.
  init(_ algorithm: COSEAlgorithm = .es256) throws {
    key = try TestKey.make("credential", algorithm)
    root = try TestAuthority.root()
    policy.trustAnchors = TrustAnchors(forEverything: [root.certificate])
    policy.modelTolerances = .none
  }

  var authenticatorData: [UInt8] {
    let head = Self.relyingPartyIDHash + [flags, 0, 0, 0, 0]
    guard flags & 0x40 != 0 else { return head }
    return head + aaguid + [0, UInt8(Self.credentialID.count)] + Self.credentialID
      + (encodedKey ?? key.publicKey.encoded)
  }

  var signedBytes: [UInt8] { authenticatorData + clientDataHash }
  var nonce: [UInt8] { Digest.sha256(signedBytes[...]) }

  @discardableResult
  func verify(_ format: AttestationFormat, _ statement: CBORTree) throws -> AttestationOutcome {
    try verify(format, encoded: CBORWriter.bytes(of: statement))
  }

  /// Verifies a statement in exactly this encoding.
  func verify(_ format: AttestationFormat, encoded statement: [UInt8]) throws -> AttestationOutcome {
    try AttestationVerifier(policy: policy).verify(
      CBORValue(parsing: statement[...], rules: .wellFormed), format: format,
      authenticatorData: AuthenticatorData(parsing: authenticatorData[...]), credentialPublicKey: key.publicKey,
      clientDataHash: clientDataHash[...], at: time)
  }

  /// Issues a certificate below the root that meets §8.2.1.
  func certificate(
    of key: SigningKey, from issuer: Issuer? = nil, _ corrupt: (inout CertificateForm) -> Void = { _ in }
  ) throws -> [UInt8] {
    var form = CertificateForm(
      [
        (.countryName, "SE"), (.organizationName, "Maker"), (.organizationalUnitName, "Authenticator Attestation"),
        (.commonName, "Batch"),
      ], key.publicKey)
    form.extensions = [CertificateForm.basicConstraints(isAuthority: false)]
    corrupt(&form)
    return try form.signed(by: issuer ?? root.issuer)
  }
}

extension AttestationOutcome.Trust {
  enum Kind {
    case none, `self`, anchored, unanchored
  }

  /// The kind of trust.
  var kind: Kind {
    switch self {
    case .none: .none
    case .self: .self
    case .anchored: .anchored
    case .unanchored: .unanchored
    }
  }
}

/// Expects `body` to throw an ``AttestationError`` with this code, and with this text in its detail if given.
func expect(
  _ code: AttestationError.Code, _ detail: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> some Any
) {
  let error = #expect(throws: AttestationError.self, sourceLocation: sourceLocation) { _ = try body() }
  #expect(error?.code == code, "\(error.map(\.description) ?? "")", sourceLocation: sourceLocation)
  if let detail {
    #expect(error?.description.contains(detail) == true, "\(error?.description ?? "")", sourceLocation: sourceLocation)
  }
}

/// A statement as a map whose members tests remove or replace.
typealias Members = [CBORKey: CBORTree]

/// Expects a statement to be refused if any of these members is missing or has the wrong type.
func expectEachMemberIsNeeded(
  _ ceremony: CeremonyForm, _ format: AttestationFormat, _ members: Members, _ names: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for name in names {
    var corrupted = members
    corrupted[.text(name)] = nil
    expect(.malformedStatement, name, sourceLocation: sourceLocation) { try ceremony.verify(format, .map(corrupted)) }
    corrupted[.text(name)] = .bool(true)
    expect(.malformedStatement, name, sourceLocation: sourceLocation) { try ceremony.verify(format, .map(corrupted)) }
  }
  expect(.malformedStatement, sourceLocation: sourceLocation) { try ceremony.verify(format, .array([])) }
}
