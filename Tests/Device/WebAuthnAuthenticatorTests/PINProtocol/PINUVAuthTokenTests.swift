// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing

@testable import WebAuthnAuthenticator

struct PINUVAuthTokenTests {
  private func token(for relyingPartyID: String? = nil, isUserPresent: Bool = false) throws -> PINUVAuthToken {
    PINUVAuthToken(
      bytes: try RandomSource.system.secret(32), version: .two, permissions: .defined,
      relyingPartyID: relyingPartyID, isUserPresent: isUserPresent, issued: .seconds(100))
  }

  @Test func `an unused token expires after 30 seconds`() throws {
    let token = try token()
    #expect(token.isInUse(at: .seconds(100)))
    #expect(token.isInUse(at: .milliseconds(129_999)))
    #expect(!token.isInUse(at: .seconds(130)))
  }

  @Test func `a used token expires after ten minutes`() throws {
    var token = try token()
    token.use(for: nil)
    #expect(token.isInUse(at: .seconds(130)))
    #expect(token.isInUse(at: .milliseconds(699_999)))
    #expect(!token.isInUse(at: .seconds(700)))
  }

  @Test func `a token's user presence lasts 30 seconds`() throws {
    var token = try token(isUserPresent: true)
    token.use(for: nil)
    #expect(token.showsUserPresence(at: .milliseconds(129_999)))
    #expect(!token.showsUserPresence(at: .seconds(130)))
    #expect(token.isInUse(at: .seconds(130)))
    #expect(try !self.token().showsUserPresence(at: .seconds(100)))
  }

  @Test func `the first relying party that uses a token binds it`() throws {
    var token = try token()
    token.use(for: nil)
    #expect(token.relyingPartyID == nil)
    token.use(for: "raxx.app")
    token.use(for: "example.com")
    #expect(token.relyingPartyID == "raxx.app")
  }

  @Test func `a spent token may only write large blobs`() throws {
    var token = try token(isUserPresent: true)
    token.spend()
    #expect(token.permissions == .largeBlobWrite)
    #expect(!token.isUserVerified)
    #expect(!token.showsUserPresence(at: .seconds(100)))
  }
}
