// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// Each error that a response can cause has a vector, and so has each format, algorithm and step.
struct VectorCoverageTests {
  /// The areas of codes that a response can cause. Codes of lower modules also occur in other contexts.
  static let areas: Set<String> = [
    "ceremony", "registration", "authentication", "attestation", "registration-response", "authentication-response",
    "client-data", "attestation-object", "authenticator-data", "credential-id", "user-handle", "cose",
    "client-extensions", "authenticator-extensions",
  ]

  static func lines(_ name: String) throws -> [String] {
    String(decoding: try File.bytes("\(VectorFileTests.folder)/\(name)"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  static let refusals: [VerificationCase] = VectorFileTests.topics.flatMap {
    ((try? VectorFileTests.cases($0)) ?? []).filter { !$0.expectation.verified }
  }

  @Test func `each code has a vector or a documented exception`() throws {
    let codes = try Self.lines("error-codes.txt").filter { code in
      Self.areas.contains(code.split(separator: ".").first.map(String.init) ?? "")
    }
    let reached = Set(
      Self.refusals.flatMap { [$0.expectation.code].compactMap(\.self) + ($0.expectation.causes ?? []) })
    let excepted = Set(try Self.exceptions().map(\.code))
    #expect(!codes.isEmpty)
    #expect(codes.filter { !reached.contains($0) && !excepted.contains($0) }.isEmpty)
    // A code with a vector must not be listed as an exception.
    #expect(excepted.intersection(reached).isEmpty)
    #expect(excepted.subtracting(codes).isEmpty)
  }

  @Test func `each exception has a reason`() throws {
    for (code, reason) in try Self.exceptions() { #expect(reason.count > 20, "\(code)") }
  }

  private static func exceptions() throws -> [(code: String, reason: String)] {
    try lines("codes-without-vectors.txt").map { (line) in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts.first ?? ""), String(parts.dropFirst().first ?? ""))
    }
  }

  @Test func `each algorithm has a registration and an authentication`() throws {
    let ids = Set(try ["algorithms", "algorithms-ml-dsa"].flatMap(VectorFileTests.cases).map(\.id))
    for algorithm in supportedAlgorithms where algorithm != .rs1 {
      #expect(ids.contains("algorithms/\(algorithm)/registration"))
      #expect(ids.contains("algorithms/\(algorithm)/authentication"))
    }
  }

  @Test func `the schema names every member of a case`() throws {
    let schema = try JSON.parse(File.bytes("\(VectorFileTests.folder)/schema.json")[...])
    let definitions = try schema.require("$defs")
    let members = try names(definitions.require("case"))
    let results = try names(definitions.require("refused")).union(names(definitions.require("verified")))
    for topic in VectorFileTests.topics {
      let file = try JSON.parse(
        File.bytes("\(VectorFileTests.folder)/\(topic).json")[...], maximumSize: CaseFile.maximumByteCount)
      for each in try file.require("cases").array {
        #expect(Set(try each.members.map(\.name)).subtracting(members).isEmpty)
        #expect(Set(try each.require("expect").members.map(\.name)).subtracting(results).isEmpty)
      }
    }
  }

  private func names(_ definition: JSONValue) throws -> Set<String> {
    Set(try definition.require("properties").members.map(\.name))
  }
}
