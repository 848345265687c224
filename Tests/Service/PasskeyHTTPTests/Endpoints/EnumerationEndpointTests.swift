// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyHTTP

/// Responses must not reveal whether an address has an account.
struct EnumerationEndpointTests {
  /// The visible parts of a response, with its random parts masked.
  private struct VisibleResponse: Hashable {
    let status: Int
    let headers: [String]
    let body: String

    /// Replaces each of the `random` texts in the body by asterisks of the same length.
    init(_ answer: RawClient.Answer, masking random: [String]) {
      status = answer.status
      headers = answer.headers.map { (name, value) in
        ["x-request-id", "date"].contains(name) ? "\(name): \(value.utf8.count)" : "\(name): \(value)"
      }
      let texts = random + [answer.header("x-request-id") ?? ""]
      body = texts.filter { !$0.isEmpty }.reduce(answer.body) { (text, secret) in
        text.split(separator: secret, omittingEmptySubsequences: false)
          .joined(separator: String(repeating: "*", count: secret.count))
      }
    }
  }

  @Test func `status, headers, members and size are the same with and without an account`() async throws {
    let world = try EndpointWorld()
    _ = try await Visitor.signedIn(world, "ada@raxx.app")
    // Every decoy is like the account.
    let passkey = CredentialDescriptor(
      id: try CredentialID([UInt8](repeating: 1, count: 32)), transports: [.internal, .hybrid])
    let lists = try #require(CredentialLists(of: [[passkey]], atMost: 20))
    _ = try await world.storage.storeDecoyLists(lists.encoded, replacing: false)
    var responses: Set<[VisibleResponse]> = []
    // The addresses have the same length, because creation options repeat the address.
    for email in ["ada@raxx.app", "bob@raxx.app", "eve@raxx.app"] {
      let body = #"{"email":"\#(email)"}"#
      let begunSignUp = try await world.receive("POST", world.path(.registerOptions), body)
      let creation = try CreationOptions(json: begunSignUp.body)
      let begunSignIn = try await world.receive("POST", world.path(.signInOptions), body)
      let request = try RequestOptions(json: begunSignIn.body)
      let refused = try await world.receive("POST", world.path(.signInVerify), Self.forgedAssertion(request))
      #expect([begunSignUp, begunSignIn, refused].map(\.status) == [200, 200, 401])
      responses.insert([
        VisibleResponse(begunSignUp, masking: ["\(creation.challenge)", "\(creation.user.id)", email]),
        VisibleResponse(begunSignIn, masking: ["\(request.challenge)"] + request.allowCredentials.map { "\($0.id)" }),
        VisibleResponse(refused, masking: [try "\(#require(request.allowCredentials.first).id)"]),
      ])
    }
    #expect(responses.count == 1, "\(responses)")
  }

  /// Returns an assertion of the first allowed credential with an invalid signature.
  private static func forgedAssertion(_ options: RequestOptions) throws -> String {
    let clientData = ClientData(type: .get, challenge: options.challenge, origin: try WebOrigin("https://raxx.app"))
    let response = AuthenticationResponse(
      id: try #require(options.allowCredentials.first).id, clientDataJSON: clientData.encoded,
      authenticatorData: (Digest.sha256([UInt8]("raxx.app".utf8)) + [5, 0, 0, 0, 0])[...],
      signature: [0x30, 6, 2, 1, 1, 2, 1, 1])
    return String(decoding: response.json, as: UTF8.self)
  }
}
