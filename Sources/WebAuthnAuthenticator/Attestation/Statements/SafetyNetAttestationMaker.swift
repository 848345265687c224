// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Attestation by Google's SafetyNet service (§8.5), which is gone and whose statements are still about.
public struct SafetyNetAttestationMaker: AttestationMaker {
  private let service: AttestationIdentity
  private let time: Timestamp

  /// Signs as `service`, whose certificate is that of the host `attest.android.com`, at this time.
  public init(_ service: AttestationIdentity, at time: Timestamp) {
    self.service = service
    self.time = time
  }

  /// `android-safetynet`
  public var format: AttestationFormat { .androidSafetyNet }

  /// The version and the response.
  public func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree {
    try statement(for: subject, response(for: subject))
  }

  /// What the service says, before it is signed.
  public func response(for subject: AttestationSubject) -> SafetyNetResponse {
    SafetyNetResponse(nonce: Digest.sha256(subject.signedBytes), time: time)
  }

  /// The statement with this response.
  public func statement(
    for subject: AttestationSubject, _ response: SafetyNetResponse
  ) throws(CryptoError) -> CBORTree {
    let token = CompactToken(payload: response.json, signer: service)
    return ["ver": .text(response.version), "response": .bytes(try token.text(subject.signing))]
  }
}

/// What SafetyNet says about a phone.
public struct SafetyNetResponse: Hashable, Sendable {
  /// The version of the service.
  public var version = "14799021"
  /// What the caller wanted signed along.
  public var nonce: [UInt8]
  /// When the phone was asked.
  public var time: Timestamp
  /// Whether the phone is one that passed Android's tests.
  public var matchesProfile = true

  /// A good word for a phone.
  public init(nonce: [UInt8], time: Timestamp) {
    self.nonce = nonce
    self.time = time
  }

  var json: [UInt8] {
    JSON.writeObject { (object) in
      object.write("nonce", .base64(nonce))
      object.write("timestampMs", .integer(time.secondsSince1970.multipliedReportingOverflow(by: 1000).partialValue))
      object.write("apkPackageName", "com.google.android.gms")
      object.write("ctsProfileMatch", .bool(matchesProfile))
      object.write("basicIntegrity", .bool(matchesProfile))
    }
  }
}
