// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct SafetyNetAttestationTests {
  private static func statement(
    _ ceremony: CeremonyForm, nonce: [UInt8]? = nil, made: UnixTime = Moment.y2030, profile: String = "true",
    algorithm: COSEAlgorithm = .es256, host: String = "attest.android.com",
    names: [UInt8]? = nil, more: [[UInt8]] = [], _ corrupt: (inout TokenForm) -> Void = { _ in }
  ) throws -> Members {
    let key = try TestKey.make("service", algorithm)
    let certificate = try ceremony.certificate(of: key) {
      $0.extensions.append(names ?? CertificateForm.hostNames("x.example", host))
      $0.extensions += more
    }
    var form = TokenForm(
      payload: """
        {"nonce":"\(Base64.encode(nonce ?? ceremony.nonce))","timestampMs":\(made.secondsSince1970)999,\
        "apkPackageName":"com.google.android.gms","ctsProfileMatch":\(profile),"basicIntegrity":true}
        """, key: key, certificates: [certificate])
    form.algorithm = "\(algorithm)"
    corrupt(&form)
    return ["ver": "14799021", "response": .bytes(Array(try form.text().utf8))]
  }

  @Test(arguments: [COSEAlgorithm.es256, .es512, .rs256])
  func `the service attests`(_ algorithm: COSEAlgorithm) throws {
    let ceremony = try CeremonyForm()
    let outcome = try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, algorithm: algorithm)))
    #expect(outcome.type == .basic)
    #expect(outcome.trust.kind == .anchored)
  }

  @Test func `each member is required`() throws {
    let ceremony = try CeremonyForm()
    let statement = try Self.statement(ceremony)
    expectEachMemberIsNeeded(ceremony, .androidSafetyNet, statement, ["ver", "response"])
    expect(.malformedStatement, "ver") {
      try ceremony.verify(.androidSafetyNet, .map(statement.merging(["ver": ""]) { $1 }))
    }
  }

  @Test func `the response must be a token`() throws {
    let ceremony = try CeremonyForm()
    func verify(_ text: String) throws -> AttestationOutcome {
      try ceremony.verify(.androidSafetyNet, ["ver": "1", "response": .bytes(Array(text.utf8))])
    }
    for text in ["", "a.b", "a.b.c.d", "e30.e30.", "!.e30.e30", "eyJhbGciOiJub25lIiwieDVjIjpbXX0.e30."] {
      expect(.safetyNetMalformedResponse) { try verify(text) }
    }
    if case .bytes(let token)? = try Self.statement(ceremony)["response"] {
      let text = String(decoding: token, as: UTF8.self)
      let parts = text.split(separator: ".")
      for changed in [text + ".", "\(parts[0]).\(parts[1])..\(parts[2])"] {
        expect(.safetyNetMalformedResponse) { try verify(changed) }
      }
    }
    func refuses(_ code: AttestationError.Code, _ corrupt: (inout TokenForm) -> Void) throws {
      let statement = try Self.statement(ceremony, corrupt)
      expect(code) { try ceremony.verify(.androidSafetyNet, .map(statement)) }
    }
    try refuses(.safetyNetMalformedResponse) { $0.payload = Array("{}".utf8) }
    try refuses(.safetyNetMalformedResponse) { $0.payload = Array("[".utf8) }
    try refuses(.safetyNetMalformedResponse) { $0.header = ",\"crit\":[\"exp\"]" }
    try refuses(.safetyNetMalformedResponse) { $0.certificates = [] }
    try refuses(.malformedCertificate) { $0.certificates[0].removeLast() }
    try refuses(.unsupportedAlgorithm) { $0.algorithm = "none" }
    try refuses(.unsupportedAlgorithm) { $0.algorithm = "HS256" }
    try refuses(.algorithmMismatch) { $0.algorithm = "RS256" }
    try refuses(.invalidSignature) { $0.algorithm = "ES384" }
  }

  @Test func `a response has at most 16 certificates`() throws {
    let ceremony = try CeremonyForm()
    func verify(_ count: Int) throws -> AttestationOutcome {
      let statement = try Self.statement(ceremony) {
        $0.certificates = Array(repeating: $0.certificates[0], count: count)
      }
      return try ceremony.verify(.androidSafetyNet, .map(statement))
    }
    #expect(try verify(16).trust.kind == .anchored)
    expect(.safetyNetMalformedResponse, "17 certificates") { try verify(17) }
  }

  @Test func `the signature must be of the certificate's key`() throws {
    let ceremony = try CeremonyForm()
    let other = try TestKey.make("another")
    let statement = try Self.statement(ceremony) { $0.key = other }
    expect(.invalidSignature) { try ceremony.verify(.androidSafetyNet, .map(statement)) }
  }

  @Test func `host, nonce and profile must be right`() throws {
    let ceremony = try CeremonyForm()
    for host in ["attest.android.com.example", "*.android.com", "android.com"] {
      expect(.safetyNetHostName) { try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, host: host))) }
    }
    let malformed = CertificatePart.extension(.subjectAlternativeName) { $0.writeNull() }
    expect(.safetyNetHostName) {
      try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, names: malformed)))
    }
    let zero = [UInt8](repeating: 0, count: 32)
    expect(.nonceMismatch) { try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, nonce: zero))) }
    expect(.safetyNetProfile) {
      try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, profile: "false")))
    }
    expect(.safetyNetMalformedResponse) {
      try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, profile: "\"true\"")))
    }
  }

  @Test func `names of other kinds are skipped`() throws {
    let ceremony = try CeremonyForm()
    let names = CertificatePart.extension(.subjectAlternativeName) {
      $0.writeSequence {
        $0.write(.context(1), content: Array("a@example.org".utf8)[...])
        $0.write(.context(6), content: Array("https://example.org".utf8)[...])
        $0.write(.context(2), content: Array("attest.android.com".utf8)[...])
      }
    }
    #expect(
      try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, names: names))).trust.kind == .anchored)
  }

  @Test func `a certificate with an extension of another format is refused`() throws {
    let ceremony = try CeremonyForm()
    let statement = try Self.statement(ceremony, more: [KeyDescriptionForm(for: ceremony).extension])
    expect(.foreignExtension) { try ceremony.verify(.androidSafetyNet, .map(statement)) }
  }

  @Test func `the response must be recent`() throws {
    var ceremony = try CeremonyForm()
    for (seconds, isInTime) in [(0, true), (-70, true), (-71, false), (10, true), (11, false)] {
      let made = Moment.y2030 + .seconds(seconds)
      let statement = try Self.statement(ceremony, made: made)
      if isInTime {
        #expect(try ceremony.verify(.androidSafetyNet, .map(statement)).type == .basic)
      } else {
        expect(.safetyNetTime, "judged at 2030-01-01T00:00:00Z") {
          try ceremony.verify(.androidSafetyNet, .map(statement))
        }
      }
    }
    ceremony.policy.safetyNetTime = .ignored
    #expect(try ceremony.verify(.androidSafetyNet, .map(Self.statement(ceremony, made: Moment.y2020))).type == .basic)
  }
}
