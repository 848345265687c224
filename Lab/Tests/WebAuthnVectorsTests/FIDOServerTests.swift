// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// FIDO's server tests against our library, and the file with the identifiers.
struct FIDOServerTests {
  private static let folder = "\(projectFolder)/Vectors/fido"
  private static let now = UnixTime(secondsSince1970: 1_790_000_000)

  /// The suites of FIDO's tool 1.9.1 with the number of tests in each, as published.
  private static let published: KeyValuePairs = [
    "Server-ServerPublicKeyCredentialCreationOptions-Req-1": 4,
    "Server-ServerAuthenticatorAttestationResponse-Resp-1": 16,
    "Server-ServerAuthenticatorAttestationResponse-Resp-2": 17,
    "Server-ServerAuthenticatorAttestationResponse-Resp-3": 20,
    "Server-ServerAuthenticatorAttestationResponse-Resp-4": 12,
    "Server-ServerAuthenticatorAttestationResponse-Resp-5": 19,
    "Server-ServerAuthenticatorAttestationResponse-Resp-6": 4,
    "Server-ServerAuthenticatorAttestationResponse-Resp-7": 3,
    "Server-ServerAuthenticatorAttestationResponse-Resp-8": 3,
    "Server-ServerAuthenticatorAttestationResponse-Resp-9": 7,
    "Server-ServerAuthenticatorAttestationResponse-Resp-A": 4,
    "Server-ServerPublicKeyCredentialGetOptionsResponse-Req-1": 2,
    "Server-ServerAuthenticatorAssertionResponse-Resp-1": 22,
    "Server-ServerAuthenticatorAssertionResponse-Resp-2": 17,
    "Server-ServerAuthenticatorAssertionResponse-Resp-3": 12,
    "Server-MDS3": 6,
  ]

  @Test func `the library passes every test for the stated reason`() async throws {
    let results = try await FIDOResults.inProcess(at: Self.now)
    #expect(results.all.count == 168)
    let others = results.all.filter { $0.verdict != .passed }
    #expect(others.isEmpty, "\(others.map { "\($0.id): \($0.verdict)" }.joined(separator: "\n"))")
    // The page shows this table.
    let page = try Self.text("Lab/Documentation/FIDOServerTests.md")
    #expect(page.contains(results.markdown), "passkey vectors fido --markdown")
  }

  @Test func `wrong verdicts fail: accepted faults, refused ceremonies, other reasons, crashes`() async throws {
    let accepting = try await failures { (path, reply) in
      path.hasSuffix("result") ? Self.reply(200, #"{"status":"ok","errorMessage":""}"#) : reply
    }
    #expect(accepting == FIDOSuite.all.flatMap(\.tests).count(where: { !$0.isAccepted }))

    let refusing = try await FIDOResults.inProcess(at: Self.now) { (path, reply) in
      path.hasSuffix("result") ? Self.reply(400, #"{"status":"failed","errorMessage":"no"}"#) : reply
    }
    // No refusal has a reason, and only the tests of options need no registration.
    #expect(refusing.failed.count == 168 - 4)

    let mistaken = try await failures { (path, reply) in
      guard let text = String(validating: reply.body, as: UTF8.self) else { return reply }
      let other = text.replacing("registration.origin-mismatch", with: "registration.type-mismatch")
      return Self.reply(reply.status, other)
    }
    #expect(mistaken == 2)

    let crashing = try await failures { (path, reply) in
      reply.status == 400 ? FIDOReply(status: 500, body: reply.body) : reply
    }
    #expect(crashing == FIDOSuite.all.flatMap(\.tests).count(where: { !$0.isAccepted }))
  }

  @Test func `a BLOB that is refused for another reason fails its test`() async throws {
    var results = try await FIDOResults.inProcess(at: Self.now)
    let valid = try await FIDOProcessServer(at: Self.now).refusedBlobs
    #expect(valid.count == 4)
    results.judgeBlobs(refused: valid.merging([FIDOModel.byRevokedSigner.rawValue: ["metadata.expired"]]) { $1 })
    #expect(results.failed.map(\.id) == ["Server-MDS3 F-5"])
  }

  @Test func `the file has the published identifiers, each once, with a case`() throws {
    let file = try JSON.parse(File.bytes("\(Self.folder)/\(FIDOLedger.name)")[...])
    #expect(try file.require("tool").string == "1.9.1")
    let suites = Array(try file.require("suites").array)
    #expect(try suites.map { try $0.require("id").string } == Self.published.map(\.key))
    #expect(Self.published.count == 16 && Self.published.reduce(0) { $0 + $1.value } == 168)
    var seen: Set<String> = []
    for (suite, expected) in zip(suites, Self.published) {
      let tests = Array(try suite.require("tests").array)
      #expect(tests.count == expected.value, "\(expected.key)")
      for test in tests {
        let id = try test.require("id").string
        #expect(seen.insert("\(expected.key) \(id)").inserted, "\(expected.key) \(id)")
        #expect(try test.require("case").string.isEmpty == false)
        // P-n must be accepted, F-n refused, with a code.
        let isAccepted = try test.require("accepted").bool
        #expect(id.hasPrefix(isAccepted ? "P-" : "F-"))
        #expect(try (test["code"] == nil) == isAccepted, "\(expected.key) \(id)")
      }
    }
    #expect(seen.count == 168)
  }

  @Test func `the cases, codes and vectors that the file names exist`() throws {
    let codes = Set(try Self.text("Vectors/error-codes.txt").split(separator: "\n").map(String.init))
    let cases = Set(VectorFile.all.flatMap { $0.descriptions.map(\.id) })
    let file = try JSON.parse(File.bytes("\(Self.folder)/\(FIDOLedger.name)")[...])
    for suite in try file.require("suites").array {
      for test in try suite.require("tests").array {
        if let vector = try test["vector"]?.string { #expect(cases.contains(vector), "\(vector)") }
        var named = try test["code"].map { [try $0.string] } ?? []
        for name in ["causes", "metadata"] {
          named += try test[name]?.elements { (value) throws(WireError) in try value.string } ?? []
        }
        for code in named { #expect(codes.contains(code), "\(code)") }
      }
    }
  }

  @Test func `the generator makes the files in the repository`() throws {
    #expect(try File.bytes("\(Self.folder)/\(FIDOLedger.name)") == FIDOLedger.text, "passkey vectors generate fido")
    let files = try FIDOMetadata().files
    #expect(Set(try File.names(in: "\(Self.folder)/metadata")) == Set(files.map(\.name)))
    for file in files { #expect(try File.bytes("\(Self.folder)/metadata/\(file.name)") == file.bytes, "\(file.name)") }
  }

  private func failures(
    _ change: @escaping @Sendable (_ path: String, FIDOReply) -> FIDOReply
  ) async throws -> Int {
    try await FIDOResults.inProcess(at: Self.now, change: change).failed.count
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try File.bytes("\(projectFolder)/\(path)"), as: UTF8.self)
  }

  private static func reply(_ status: Int, _ json: String) -> FIDOReply {
    FIDOReply(status: status, body: Array(json.utf8))
  }
}
