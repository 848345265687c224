// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyTesting

struct TestBrowserTests {
  private let origin = "https://login.raxx.app"
  private let now = UnixTime(secondsSince1970: 1_900_000_000)
  private let relyingParty: RelyingParty

  init() throws {
    var policy = CeremonyPolicy()
    policy.userVerification = .preferred
    policy.residentKey = .preferred
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin(origin)], policy: policy)
  }

  private func register(_ browser: TestBrowser, _ name: String = "ada") async throws -> StoredCredential {
    let user = UserEntity(id: try UserHandle(Array(name.utf8)), name: name, displayName: name)
    let begun = try relyingParty.beginRegistration(of: user, at: now)
    let response = try RegistrationResponse(json: await browser.create(begun.options.json))
    return try relyingParty.finishRegistration(response, pending: begun.pending, existing: .notFound, at: now)
      .credential
  }

  private func signIn(
    _ browser: TestBrowser, _ credentials: [StoredCredential], as name: String? = nil
  ) async throws -> VerifiedAuthentication {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: now)
    let response = try AuthenticationResponse(json: await browser.get(begun.options.json, as: name))
    let stored = try #require(credentials.first { $0.record.id == response.id })
    return try relyingParty.finishAuthentication(response, pending: begun.pending, credential: stored, at: now)
  }

  @Test func `a page below the RP ID registers and signs in`() async throws {
    let browser = try TestBrowser(origin: origin)
    let credential = try await register(browser)
    #expect(try await signIn(browser, [credential]).credential.record.id == credential.record.id)
  }

  @Test func `a page of a public suffix without a dot is refused`() async throws {
    let browser = try TestBrowser(origin: "https://other.app")
    let error = await #expect(throws: TestBrowser.Failure.self) { try await register(browser) }
    #expect(error?.code == "client.origin-not-allowed")
    guard case .exception("SecurityError", _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a seed reproduces passkeys and signatures`() async throws {
    let options = try relyingParty.beginRegistration(
      of: UserEntity(id: UserHandle([1]), name: "ada", displayName: "Ada"), at: now
    ).options.json
    let first = try await TestBrowser(origin: origin, seed: "ada").create(options)
    #expect(try await TestBrowser(origin: origin, seed: "ada").create(options) == first)
    #expect(try await TestBrowser(origin: origin, seed: "grace").create(options) != first)
  }

  @Test func `the user chooses among passkeys by name`() async throws {
    let browser = try TestBrowser(origin: origin)
    let credentials = [try await register(browser, "ada"), try await register(browser, "grace")]
    #expect(try browser.device.passkeys.map(\.userName) == ["ada", "grace"])
    let verified = try await signIn(browser, credentials, as: "ada")
    #expect(verified.credential.user == credentials[0].user)
    let error = await #expect(throws: TestBrowser.Failure.self) {
      try await signIn(browser, credentials, as: "eve")
    }
    #expect(error?.code == "client.none-chosen")
  }

  @Test func `a security key counts, and a key without a sensor does not verify`() async throws {
    let browser = try TestBrowser(origin: origin)
    browser.device = try TestBrowser.Device(.securityKey, seed: "key")
    let counting = try await register(browser)
    let count = try #require(try browser.device.passkeys.first).signCount
    _ = try await signIn(browser, [counting])
    #expect(try #require(try browser.device.passkeys.first).signCount > count)

    browser.device = try TestBrowser.Device(.touchOnlyKey, seed: "touch")
    let unverified = try await register(browser, "grace")
    #expect(try await signIn(browser, [unverified]).userVerification == .notPerformed)
  }

  @Test func `a user who refuses, and someone else, get no response`() async throws {
    let browser = try TestBrowser(origin: origin)
    let credential = try await register(browser)
    for (user, code) in [
      (TestBrowser.Device.User.refuses, "client.not-allowed"), (.isSomeoneElse, "client.user-verification-failed"),
    ] {
      browser.device.user = user
      let error = await #expect(throws: TestBrowser.Failure.self) { try await signIn(browser, [credential]) }
      #expect(error?.code == code)
    }
    browser.device.user = .agrees
    _ = try await signIn(browser, [credential])
  }

  @Test func `a copy has the same passkeys, and a deleted passkey is gone`() async throws {
    let browser = try TestBrowser(origin: origin)
    let credential = try await register(browser)
    let original = browser.device
    browser.device = try original.copy()
    _ = try await signIn(browser, [credential])
    try browser.device.delete(try #require(try browser.device.passkeys.first))
    let error = await #expect(throws: TestBrowser.Failure.self) { try await signIn(browser, [credential]) }
    #expect(error?.code == "client.no-credentials")
    #expect(try original.passkeys.count == 1)
  }

  @Test func `options may have publicKey around them`() async throws {
    let begun = try relyingParty.beginRegistration(
      of: UserEntity(id: UserHandle([1]), name: "ada", displayName: "Ada"), at: now)
    let wrapped = Array(#"{"publicKey":"#.utf8) + begun.options.json + Array("}".utf8)
    let response = try await TestBrowser(origin: origin).create(wrapped)
    _ = try relyingParty.finishRegistration(
      RegistrationResponse(json: response), pending: begun.pending, existing: .notFound, at: now)
  }

  @Test func `large blobs are stored without a compression library`() async throws {
    let browser = try TestBrowser(origin: origin)
    browser.device = try TestBrowser.Device(.securityKey, seed: "key")
    let creation = #"""
      {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"AQ","name":"ada","displayName":"Ada"},
       "challenge":"AAAAAAAAAAAAAAAAAAAAAA","pubKeyCredParams":[{"type":"public-key","alg":-7}],
       "authenticatorSelection":{"residentKey":"required"},"extensions":{"largeBlob":{"support":"required"}}}
      """#
    let id = try JSON.parse(await browser.create(Array(creation.utf8))).require("id").string
    func results(_ input: String) async throws -> JSONValue {
      let options = #"""
        {"rpId":"raxx.app","challenge":"AAAAAAAAAAAAAAAAAAAAAA","userVerification":"required",
         "allowCredentials":[{"type":"public-key","id":"\#(id)"}],"extensions":{"largeBlob":\#(input)}}
        """#
      return try JSON.parse(await browser.get(Array(options.utf8))).require("clientExtensionResults").require(
        "largeBlob")
    }
    #expect(try await results(#"{"write":"AQIDBA"}"#).require("written").bool)
    #expect(try await results(#"{"read":true}"#).require("blob").string == "AQIDBA")
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 131_070, 200_000])
  func `stored blocks keep their bytes`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let stream = try #require(StoredBlocks().compress(bytes))
    #expect(StoredBlocks().decompress(stream[...], byteCount: count) == bytes)
    #expect(StoredBlocks().decompress(stream[...], byteCount: count + 1) == nil)
    #expect(StoredBlocks().decompress(stream.dropLast(), byteCount: count) == nil)
    #expect(StoredBlocks().decompress((stream + [0])[...], byteCount: count) == nil)
  }

  @Test func `a fault of the other ceremony, and a request without a handler, are failures`() async throws {
    let browser = try TestBrowser(origin: origin)
    await #expect(throws: TestBrowser.Failure.faultElsewhere(.signatureEmpty)) {
      try await browser.create([UInt8](), fault: .signatureEmpty)
    }
    await #expect(throws: TestBrowser.Failure.faultElsewhere(.keyOffItsCurve)) {
      try await browser.get([UInt8](), fault: .keyOffItsCurve)
    }
    await #expect(throws: TestBrowser.Failure.noHandler) { try await browser.send("GET", "/") }
    #expect(throws: TestBrowser.Failure.self) { try TestBrowser(origin: "not an origin") }
  }

  @Test func `a clock moves only when the test moves it`() throws {
    let clock = TestBrowser.Clock(secondsSince1970: 100)
    clock.advance(by: .seconds(20))
    #expect(clock.secondsSince1970 == 120)
  }
}
