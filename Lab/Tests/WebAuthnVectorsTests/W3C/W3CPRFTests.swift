// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// Tests the vectors of the extension prf.
struct W3CPRFTests {
  static let path = "\(W3CFileTests.folder)/prf/ctap2.json"

  @Test func `the generator makes the file in the repository`() async throws {
    let made = try await W3CPRF.text()
    #expect(try File.bytes(Self.path) == made, "passkey vectors generate w3c")
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `every value is the standard's, byte for byte`() throws {
    let ours = try Self.values(File.bytes(Self.path))
    let standards = try Self.values(SharedVectors.bytes("w3c-prf.json"))
    #expect(standards.count > 30)
    #expect(ours == standards)
  }

  /// Returns every value of the part about CTAP 2 by its path.
  private static func values(_ text: [UInt8]) throws -> [String: [UInt8]] {
    var values: [String: [UInt8]] = [:]
    func collect(_ value: JSONValue, _ path: String) throws {
      if let members = try? value.members {
        for member in members { try collect(member.value, "\(path)/\(member.name)") }
      } else if let elements = try? value.array {
        for (index, element) in elements.enumerated() { try collect(element, "\(path)/\(index)") }
      } else {
        values[path] = [UInt8](value.encoded)
      }
    }
    try collect(JSON.parse(text[...], maximumSize: 1 << 20).require("ctap2"), "ctap2")
    return values
  }
}
