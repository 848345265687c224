// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnAuthenticator
package import WebAuthnTypes

/// Android SafetyNet attestation (§8.5). Google has shut the service down, but its statements are still in use.
package struct SafetyNetAttestationMaker: AttestationMaker {
  private let service: AttestationIdentity
  private let time: UnixTime

  /// Creates a maker that signs as `service` at `time`. Verifiers expect the certificate of the host
  /// `attest.android.com`.
  package init(_ service: AttestationIdentity, at time: UnixTime) {
    self.service = service
    self.time = time
  }

  /// `android-safetynet`
  package var format: AttestationFormat { .androidSafetyNet }

  /// Returns a statement with version and response.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    try statement(for: subject, response(for: subject))
  }

  /// Returns the service's response before it is signed.
  package func response(for subject: AttestationSubject) -> SafetyNetResponse {
    SafetyNetResponse(nonce: Digest.sha256(subject.signedBytes), time: time)
  }

  /// Returns the statement with this response.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(
    for subject: AttestationSubject, _ response: SafetyNetResponse
  ) throws(PasskeyCryptoError) -> CBORTree {
    let token = CompactToken(payload: response.json, signer: service)
    return ["ver": .text(response.version), "response": .bytes(try token.text(subject.signing))]
  }
}

/// A SafetyNet response about a device.
package struct SafetyNetResponse: Hashable, Sendable {
  /// The version of the service.
  package var version = "14799021"
  /// The nonce that binds the response to the ceremony.
  package var nonce: [UInt8]
  /// The time of the response.
  package var time: UnixTime
  /// Whether the device matches a profile that passed Android's compatibility tests (`ctsProfileMatch`).
  package var matchesProfile = true

  /// Creates a response for a device that passes all checks.
  package init(nonce: [UInt8], time: UnixTime) {
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
