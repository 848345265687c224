// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Options that browsers refuse or change.
struct OptionsChecksTests {
  private static let options = #"""
    {"rp":{"id":"shop.example","name":"Shop"},"user":{"id":"AQ","name":"ada","displayName":"Ada"},
    "challenge":"AAECAwQFBgcICQoLDA0ODw","pubKeyCredParams":[{"type":"public-key","alg":-7}],"timeout":60000}
    """#

  /// Returns the verdict about options in which a text is replaced.
  private static func verdict(_ old: String, _ new: String) async throws -> Verdict {
    var options = try AuditTests.options("https://shop.example")
    options.requestsPerSecond = 1_000_000
    let body = Array(Self.options.replacing(old, with: new).utf8)
    let transport = AuditTransport { (_) in
      ServerReply(status: 200, headers: [HeaderField("content-type", "application/json")], body: body)
    }
    let check = try #require(Check.all.first { $0.id == "registration.options-refused" })
    return try await check.run(AuditWorld(options, transport: transport))
  }

  @Test(arguments: [
    ("60000", #"60000,"hints":null"#, "hints: a browser throws TypeError: expected an array"),
    ("60000", #"60000,"excludeCredentials":null"#, "excludeCredentials: a browser throws TypeError: expected an array"),
    (#""name":"Shop""#, #""title":"Shop""#, "rp.name: a browser throws TypeError: rp.name is missing"),
    (#""shop.example""#, "null", #"rp.id: a browser reads "null""#),
    (#""Ada""#, "null", #"user.displayName: a browser reads "null""#),
    ("60000", "null", "timeout: a browser reads 0"), ("-7", #""-7""#, "pubKeyCredParams[0].alg: a browser reads -7"),
    (#""AQ""#, #""""#, "user.id: a browser throws TypeError: 0 bytes, and not 1 to 64"),
    (
      #""AQ""#, "\"\(String(repeating: "A", count: 88))\"",
      "user.id: a browser throws TypeError: 66 bytes, and not 1 to 64"
    ),
    (
      "60000", #"60000,"excludeCredentials":[{"type":"public-key","id":"\#(String(repeating: "A", count: 1368))"}]"#,
      "excludeCredentials[0].id: a browser finds no such credential: it would have an ID of 1026 bytes"
    ),
    (
      "60000", #""1","hints":null"#, "hints: a browser throws TypeError: expected an array; timeout: a browser reads 1"
    ),
  ])
  func `options that a browser refuses or changes fail`(old: String, new: String, text: String) async throws {
    #expect(try await Self.verdict(old, new) == .fail(text))
  }

  @Test(arguments: [
    "60000", #"60000,"authenticatorSelection":{"authenticatorAttachment":null,"requireResidentKey":null}"#,
    #"60000,"attestation":null"#, #"60000,"extensions":null"#, #"60000,"other":null"#,
  ])
  func `options that a browser reads as they are written pass`(timeout: String) async throws {
    #expect(try await Self.verdict("60000", timeout) == .pass)
  }

  @Test(arguments: [
    "registration.options-refused", "registration.options-refused/text", "authentication.options-refused",
    "authentication.options-refused/type",
  ])
  func `a server with the fault fails one of the checks`(fault: String) async throws {
    let checks = Check.all.filter { $0.id.hasSuffix(".options-refused") }
    let report = try await MatrixWorld.audit(MatrixWorld.Options(faults: [fault]), checks)
    for finding in report.findings {
      let isOwn = fault.hasPrefix(finding.id)
      #expect((finding.verdict == .pass) == !isOwn, "\(finding.id): \(finding.verdict)")
    }
    #expect(report.findings.count == 2)
  }
}
