// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

// [shown]
/// The body of a sign-in: the response, and a setting of the endpoint.
struct SignInBody: Codable {
  var rememberMe: Bool
  var credential: AuthenticationResponse
}

/// The options that the page receives.
struct SignInOptions: Codable {
  var publicKey: RequestOptions
}
// [until here]

@Suite struct CodableWithAnyFrameworkTests {
  @Test func `bodies with more than the response are decoded by the framework's coder`() throws {
    let world = try CeremonyWorld()
    let relyingParty = try world.relyingParty()
    let stored = try world.credential()
    let now = CeremonyWorld.now
    let cookie = "a random value"
    let kept: [UInt8]
    let options: Data
    do {
      // [shown]
      let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: CeremonyBinding(cookie), at: now)
      let answer = try JSONEncoder().encode(SignInOptions(publicKey: begun.options))
      // [until here]
      options = answer
      kept = begun.pending.bytes
    }

    let read = try JSONDecoder().decode(SignInOptions.self, from: options).publicKey
    let pending = try PendingAuthentication(taken: kept)
    #expect(read.challenge == pending.challenge)
    var device = try TestDevice(challenge: read.challenge)
    device.type = .get
    let body = try JSONEncoder().encode(SignInBody(rememberMe: true, credential: device.authentication()))
    // [shown]
    let posted = try JSONDecoder().decode(SignInBody.self, from: body)
    let result = try relyingParty.finishAuthentication(
      posted.credential, pending: pending, binding: CeremonyBinding(cookie), credential: stored, at: now)
    // [until here]
    #expect(posted.rememberMe)
    #expect(result.user == world.user)
  }

  // [shown]
  /// Returns the error code of a malformed body, for the response and the log.
  func code(of error: DecodingError) -> String? {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      (context.underlyingError as? FormatError)?.code.rawValue
    @unknown default: nil
    }
  }
  // [until here]

  @Test func `a coder's error contains the code`() {
    let body = Data(#"{"rememberMe": true, "credential": {"id": "AA", "rawId": "AQ", "type": "public-key"}}"#.utf8)
    let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(SignInBody.self, from: body) }
    #expect(error.flatMap(code(of:)) == "authentication-response.id-mismatch")
  }

  @Test func `the coder and the reader give the same value`() throws {
    var device = try TestDevice(challenge: Challenge([UInt8](repeating: 3, count: 32)))
    device.type = .get
    let body = try device.authentication().json
    // [shown]
    let decoded = try JSONDecoder().decode(AuthenticationResponse.self, from: Data(body))
    let read = try AuthenticationResponse(json: body)
    // [until here]
    #expect(decoded == read)
  }
}
