// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyTesting

struct TestBrowserFaultTests {
  private static let now = UnixTime(secondsSince1970: 1_800_000_000)

  private let browser: TestBrowser
  private let relyingParty: RelyingParty

  init() throws {
    browser = try TestBrowser(origin: "https://raxx.app")
    var policy = CeremonyPolicy()
    policy.userVerification = .required
    policy.residentKey = .required
    policy.algorithms = [.es256]
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin(browser.origin)], policy: policy)
  }

  @Test func `names are in kebab case, and each fault is in a ceremony`() {
    for name in TestBrowser.Fault.allCases.map(\.rawValue) {
      #expect(name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
    }
    #expect(
      Set(TestBrowser.Fault.ofRegistrations).union(TestBrowser.Fault.ofSignIns) == Set(TestBrowser.Fault.allCases))
  }

  @Test(arguments: TestBrowser.Fault.allCases)
  func `a relying party refuses every response with a fault, and no other`(fault: TestBrowser.Fault) async throws {
    if fault.isInRegistrations {
      await #expect(throws: (any Error).self) { try await register(with: fault) }
    }
    let credential = try await register(with: nil)
    if fault.isInSignIns {
      await #expect(throws: (any Error).self) { try await signIn(credential, with: fault) }
    }
    try await signIn(credential, with: nil)
  }

  @Test func `the documentation shows how a relying party refuses each fault`() async throws {
    var rows: [String] = []
    for fault in TestBrowser.Fault.allCases {
      let refusedRegistration = await code { _ = try await register(with: fault) }
      // It replaces the passkey.
      let credential = try await register(with: nil)
      let refusedSignIn = await code { try await signIn(credential, with: fault) }
      rows.append("| `\(fault.rawValue)` | \(fault.summary) | \(refusedRegistration) | \(refusedSignIn) |")
    }
    let page = String(decoding: try File.bytes("\(projectFolder)/Lab/Documentation/Browser.md"), as: UTF8.self)
    #expect(page.contains(rows.joined(separator: "\n")), "\(rows.joined(separator: "\n"))")
  }

  @Test func `http instead of https is a fault on any origin`() throws {
    for (origin, changed) in [
      ("https://shop.example:8443", "http://shop.example:8443"), ("http://localhost:8080", "http://raxx.app"),
    ] {
      let draft = ClientDataDraft(type: "webauthn.get", challenge: [1], origin: origin)
      #expect(try [Fault.originWithoutEncryption].applied(to: draft).origin == .string(changed))
    }
  }

  @Test func `a fault that changes nothing of a response throws`() async throws {
    let options = #"""
      {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"AQ","name":"ada","displayName":"Ada"},
       "challenge":"AAAAAAAAAAAAAAAAAAAAAA","pubKeyCredParams":[{"type":"public-key","alg":-8}]}
      """#
    let failure = await #expect(throws: TestBrowser.Failure.self) {
      try await browser.create(Array(options.utf8), fault: .keyOffItsCurve)
    }
    #expect(failure == .fault(#"unchanged("the point is not on its curve")"#))
  }

  @Test func `a response with a fault is the same in each run`() async throws {
    func responses() async throws -> [[UInt8]] {
      let browser = try TestBrowser(origin: "https://raxx.app")
      let user = #"{"id":"AQ","name":"ada","displayName":"Ada"}"#
      let creation = #"""
        {"rp":{"id":"raxx.app","name":"Raxx"},"user":\#(user),"challenge":"AAAAAAAAAAAAAAAAAAAAAA",
         "pubKeyCredParams":[{"type":"public-key","alg":-7}]}
        """#
      let request = #"{"challenge":"AAAAAAAAAAAAAAAAAAAAAA","rpId":"raxx.app"}"#
      return [
        try await browser.create(Array(creation.utf8), fault: .originMissing),
        try await browser.get(Array(request.utf8), fault: .originMissing),
      ]
    }
    #expect(try await responses() == responses())
  }

  /// Returns the error code of a ceremony, as a cell of a table; a dash for a fault of the other ceremony.
  private func code(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "accepted"
    } catch let error as CeremonyError {
      return "`\(error.code.rawValue)`"
    } catch let error as FormatError {
      return "`\(error.code.rawValue)`"
    } catch TestBrowser.Failure.faultElsewhere {
      return "–"
    } catch {
      return "\(error)"
    }
  }

  @discardableResult
  private func register(with fault: TestBrowser.Fault?) async throws -> StoredCredential {
    let begun = try relyingParty.beginRegistration(
      of: UserEntity(id: try UserHandle([1, 2, 3]), name: "ada@raxx.app", displayName: "Ada"), at: Self.now)
    let json = try await browser.create(begun.options.json, fault: fault)
    return try relyingParty.finishRegistration(
      RegistrationResponse(json: json), pending: begun.pending, existing: .notFound, at: Self.now
    ).credential
  }

  private func signIn(_ credential: StoredCredential, with fault: TestBrowser.Fault?) async throws {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: Self.now)
    let json = try await browser.get(begun.options.json, fault: fault)
    _ = try relyingParty.finishAuthentication(
      AuthenticationResponse(json: json), pending: begun.pending, credential: credential, at: Self.now)
  }
}
