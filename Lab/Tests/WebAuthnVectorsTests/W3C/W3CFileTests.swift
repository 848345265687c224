// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// The files in Vectors/w3c are what the generator makes, and each case has its expected verdict.
struct W3CFileTests {
  static let folder = "\(projectFolder)/Vectors/w3c"

  static let names = W3CVector.all.map(\.name)

  static func bytes(_ name: String) throws -> [UInt8] { try File.bytes("\(folder)/\(name).json") }

  @Test(arguments: W3CVector.all) func `the generator makes the file in the repository`(
    vector: W3CVector
  ) async throws {
    let made = try await W3CFile(vector: vector).text()
    #expect(try Self.bytes(vector.name) == made, "passkey vectors generate w3c")
  }

  @Test(arguments: names) func `both ceremonies have their expected verdicts`(name: String) throws {
    let cases = try CaseFile.cases(in: Self.bytes(name)[...])
    #expect(cases.map(\.id) == ["w3c/\(name)/registration", "w3c/\(name)/authentication"])
    for recorded in cases {
      let comparison = CaseComparison(
        CaseVerdict(of: recorded, now: UnixTime(secondsSince1970: 0)), with: recorded.expectation)
      #expect(comparison.isAsExpected, "\(recorded.id): \(comparison.differences)")
      #expect(recorded.expectation.verified)
    }
  }

  @Test func `the generator makes every file of the folder`() throws {
    let names = try File.names(in: Self.folder).filter { $0.hasSuffix(".json") }
    #expect(Set(names) == Set(Self.names.map { "\($0).json" }))
  }

  @Test func `the RSA key is the product of the standard's two Mersenne primes`() throws {
    let vector = try #require(W3CVector.all.first { (vector) in vector.name == "packed.RS256" })
    let values = try W3CValues(vector)
    guard case .rsa(let modulus, let exponent) = values.credentialKey.publicKey.material else {
      Issue.record("no RSA key")
      return
    }
    #expect(modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) == 3482)
    #expect([UInt8](exponent) == [1, 0, 1])
  }
}

/// Compares the generated vectors with those in the standard.
@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct W3CStandardTests {
  @Test func `every vector of the standard's final text is made, with its values, byte for byte`() throws {
    let standards = try SharedVectors.bytes("w3c-level3.json")
    let file = try JSON.parse(standards, maximumSize: 1 << 20)
    let ids = try file.require("cases").array.map { try $0.require("id").string }.filter { $0.hasPrefix("w3c/") }
    #expect(ids.count == 30)
    #expect(Set(ids) == Set(W3CFileTests.names.flatMap { ["w3c/\($0)/registration", "w3c/\($0)/authentication"] }))
    // Members that describe the judgment in terms of the case format may differ.
    let judging: Set = ["title", "checkedBy", "notes", "time"]
    for id in ids {
      let name = String(id.split(separator: "/")[1])
      try Self.compare(
        Self.found(id, in: W3CFileTests.bytes(name)), Self.found(id, in: standards), id, ignoring: judging)
    }
  }

  private static func found(_ id: String, in text: [UInt8]) throws -> JSONValue {
    let cases = try JSON.parse(text[...], maximumSize: 1 << 20).require("cases").array
    return try #require(cases.first { (try? $0.require("id").string) == id })
  }

  /// Checks that the generated case has every member of the standard's case, with the same value.
  private static func compare(
    _ ours: JSONValue, _ standards: JSONValue, _ path: String, ignoring ignored: Set<String>
  ) throws {
    guard let members = try? standards.members else {
      #expect(ours.encoded.elementsEqual(standards.encoded) || lists(ours) == lists(standards), "\(path)")
      return
    }
    for member in members where !ignored.contains(member.name) {
      guard let value = try ours[member.name] else {
        Issue.record("\(path): \(member.name) is missing")
        continue
      }
      try compare(value, member.value, "\(path)/\(member.name)", ignoring: ignored)
    }
  }

  /// Returns the elements of an array without the white space between them.
  private static func lists(_ value: JSONValue) -> [[UInt8]]? {
    try? value.array.map { [UInt8]($0.encoded) }
  }
}
