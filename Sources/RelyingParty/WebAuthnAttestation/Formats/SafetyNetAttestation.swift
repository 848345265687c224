// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// Attestation by Google's SafetyNet service, which is deprecated but still in use (WebAuthn Level 3 §8.5).
struct SafetyNetAttestation {
  private let response: SignedToken

  /// The host name in the signing certificate, according to Google's documentation.
  private static let hostName = "attest.android.com"

  // Parses the statement; all members are required. All versions have the same response format.
  init(parsing statement: CBORValue) throws(AttestationError) {
    let statement = try AttestationStatement(statement)
    guard try !statement.text("ver").isEmpty else { throw AttestationError(.malformedStatement, "ver is empty") }
    response = try SignedToken(compact: statement.bytes("response"), malformed: .safetyNetMalformedResponse)
  }

  func verify(
    of ceremony: AttestedCeremony, _ acceptableTime: AttestationPolicy.SafetyNetTime
  ) throws(AttestationError) -> VerifiedStatement {
    // The response comes from the service: its host's key signed it. As for every format, the trust of that certificate
    // is assessed with the trust path.
    guard response.certificates.leaf.names(host: Self.hostName) else {
      throw AttestationError(.safetyNetHostName, "\(response.certificates.leaf.subject)")
    }
    // The service has a web server certificate; a certificate for a device key is not the service's.
    try response.certificates.leaf.requireNoForeignExtension()
    try response.verifySignature()

    // The nonce is the hash of the authenticator data and the hash of the client data.
    let payload = try Payload(parsing: response.payload)
    guard payload.nonce == ceremony.nonce else { throw AttestationError(.nonceMismatch) }

    // The phone passed Android's compatibility tests, and the response is recent.
    guard payload.ctsProfileMatch else { throw AttestationError(.safetyNetProfile) }
    if case .within(let age, let tolerance) = acceptableTime {
      let made = UnixTime(secondsSince1970: payload.milliseconds / 1000)
      guard made <= ceremony.time + tolerance, ceremony.time - age - tolerance <= made else {
        throw AttestationError(.safetyNetTime, "made at \(made), judged at \(ceremony.time)")
      }
    }
    return VerifiedStatement(type: .basic, claims: .byService, certificates: response.certificates.all)
  }

  /// The signed claims of the service.
  private struct Payload {
    let nonce: [UInt8]
    let ctsProfileMatch: Bool
    let milliseconds: Int64

    init(parsing bytes: [UInt8]) throws(AttestationError) {
      do throws(WireError) {
        let object = try JSON.parse(bytes)
        nonce = try object.require("nonce").base64
        ctsProfileMatch = try object.require("ctsProfileMatch").bool
        milliseconds = try object.require("timestampMs").integer()
      } catch {
        throw AttestationError(.safetyNetMalformedResponse, error)
      }
    }
  }
}
