// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct ResponsePropertyTests {
  private static let registration = [UInt8](
    """
    {"id":"AQID","rawId":"AQID","type":"public-key","authenticatorAttachment":"platform","response":\
    {"clientDataJSON":"e30","authenticatorData":"_w","transports":["internal"],"publicKey":"MA",\
    "publicKeyAlgorithm":-7,"attestationObject":"oA"},"clientExtensionResults":{"credProps":{"rk":[1,null,"x"]}}}
    """.utf8)
  private static let authentication = [UInt8](
    """
    {"id":"AQID","rawId":"AQID","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"_w",\
    "signature":"MA","userHandle":"dQ"},"clientExtensionResults":{}}
    """.utf8)

  @Test func `registration responses read from mutated text survive a round trip`() throws {
    var accepted = 0
    try PropertyRuns.check { generator in
      let text = Self.mutated(Self.registration, using: &generator)
      guard let response = try Self.read(text, RegistrationResponse.init(json:)) else { return }
      guard try RegistrationResponse(json: response.json[...]) == response else { throw Difference(text: text) }
      accepted += 1
    }
    #expect(accepted > 100, "too few inputs were accepted")
  }

  @Test func `authentication responses read from mutated text survive a round trip`() throws {
    var accepted = 0
    try PropertyRuns.check { generator in
      let text = Self.mutated(Self.authentication, using: &generator)
      guard let response = try Self.read(text, AuthenticationResponse.init(json:)) else { return }
      guard try AuthenticationResponse(json: response.json[...]) == response else { throw Difference(text: text) }
      accepted += 1
    }
    #expect(accepted > 100, "too few inputs were accepted")
  }

  @Test func `JSON text and a coder give the same value`() throws {
    var accepted = 0
    try PropertyRuns.check(default: 4_000) { generator in
      let text = Self.mutated(Self.registration, using: &generator)
      guard let response = try Self.read(text, RegistrationResponse.init(json:)) else { return }
      guard try decode(RegistrationResponse.self, from: text) == response else { throw Difference(text: text) }
      accepted += 1
    }
    #expect(accepted > 100, "too few inputs were accepted")
  }

  @Test func `attestation objects never trap, and error offsets are inside the input`() throws {
    let object = CBORWriter.bytes(of: [
      "fmt": "packed", "attStmt": ["alg": -7, "sig": .bytes([1, 2])],
      "authData": .bytes(
        [UInt8](repeating: 0xab, count: 32) + hex("c1 00000000") + [UInt8](repeating: 1, count: 16)
          + hex("0003 0a0b0c a1 0102 a1 6161 f5")),
    ])
    try PropertyRuns.check { generator in
      let bytes = Self.mutated(object, using: &generator)
      _ = try Self.read(bytes) { (bytes) throws(FormatError) in try AttestationObject(parsing: bytes) }
    }
  }

  /// Mutated valid bytes, inside a larger buffer.
  private static func mutated(_ valid: [UInt8], using generator: inout SeededGenerator) -> Bytes {
    ([0x5a] + Mutation.mutated(valid, using: &generator) + [0x5a]).dropFirst().dropLast()
  }

  /// Checks that the offset of an error is inside the input.
  private static func read<Value>(
    _ bytes: Bytes, _ read: (Bytes) throws(FormatError) -> Value
  ) throws -> Value? {
    do throws(FormatError) {
      return try read(bytes)
    } catch {
      guard (bytes.startIndex...bytes.endIndex).contains(error.offset) else { throw error }
      return nil
    }
  }

  private struct Difference: Error, CustomStringConvertible {
    let text: Bytes

    var description: String { String(decoding: text, as: UTF8.self) }
  }
}
