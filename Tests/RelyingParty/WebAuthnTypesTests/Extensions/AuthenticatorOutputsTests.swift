// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct AuthenticatorOutputsTests {
  private static let registration: CBORTree = [
    "credProtect": 3, "credBlob": true, "minPinLength": 6, "pinComplexityPolicy": false, "hmac-secret": true,
    "hmac-secret-mc": .bytes([UInt8](repeating: 5, count: 48)), "uvm": [[2, 4, 2]], "thirdPartyPayment": true,
    "example": ["kept": 1],
  ]
  private static let authentication: CBORTree = [
    "credBlob": .bytes([1, 2]), "hmac-secret": .bytes([UInt8](repeating: 5, count: 80)),
    "uvm": [[2, 4, 2], [4, 1, 1]],
    "thirdPartyPayment": false,
  ]

  private func map(_ tree: CBORTree) throws -> CBORMap {
    try CBORValue(parsing: CBORWriter.bytes(of: tree)[...], rules: .wellFormed).map
  }

  @Test func `registration outputs are read`() throws {
    let outputs = try RegistrationAuthenticatorOutputs(map(Self.registration))
    #expect(outputs.credProtect == .userVerificationRequired)
    #expect(outputs.credBlob == true)
    #expect(outputs.minPinLength == 6)
    #expect(outputs.pinComplexityPolicy == false)
    #expect(outputs.hmacSecret == true)
    #expect(outputs.hmacSecretAtCreation?.count == 48)
    #expect(outputs.uvm == [UserVerificationMethod(method: 2, keyProtection: 4, matcherProtection: 2)])
    #expect(outputs.thirdPartyPayment == true)
    #expect(
      "\(outputs)"
        == """
        credProtect (userVerificationRequired), credBlob (true), minPinLength (6), pinComplexityPolicy (false), \
        hmac-secret (true), hmac-secret-mc (48 bytes), uvm ([method 2, key 4, matcher 2]), thirdPartyPayment (true)
        """)
  }

  @Test func `sign-in outputs are read`() throws {
    let outputs = try AuthenticationAuthenticatorOutputs(map(Self.authentication))
    #expect(outputs.credBlob == [1, 2])
    #expect(outputs.hmacSecret?.count == 80)
    #expect(outputs.uvm?.count == 2)
    #expect(outputs.thirdPartyPayment == false)
    #expect(try AuthenticationAuthenticatorOutputs(map([:])) == AuthenticationAuthenticatorOutputs())
  }

  @Test(
    arguments: [
      (["credProtect": 0], "credProtect"), (["credProtect": 4], "credProtect"), (["credProtect": 256], "credProtect"),
      (["credProtect": "userVerificationRequired"], "credProtect"), (["credProtect": -1], "credProtect"),
      (["credBlob": .bytes([1])], "credBlob"), (["minPinLength": -4], "minPinLength"),
      (["minPinLength": true], "minPinLength"), (["pinComplexityPolicy": 1], "pinComplexityPolicy"),
      (["hmac-secret": .bytes([1])], "hmac-secret"), (["hmac-secret-mc": true], "hmac-secret-mc"),
      (["hmac-secret-mc": .bytes([1])], "hmac-secret-mc"), (["uvm": []], "uvm"), (["uvm": [[1, 2]]], "uvm"),
      (["uvm": [[1, 2, 3, 4]]], "uvm"), (["uvm": [[1, 2, 4_294_967_296]]], "uvm"),
      (["uvm": [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]]], "uvm"), (["uvm": 1], "uvm"),
      (["thirdPartyPayment": 1], "thirdPartyPayment"),
    ] as [(CBORTree, String)])
  func `a malformed registration output is rejected with its name`(tree: CBORTree, name: String) throws {
    let map = try map(tree)
    #expect {
      try RegistrationAuthenticatorOutputs(map)
    } throws: { error in
      let error = error as? FormatError
      return error?.code == .authenticatorExtensionsInvalidMember && error?.member == name && (error?.offset ?? 0) > 1
    }
  }

  @Test(
    arguments: [
      (["credBlob": true], "credBlob"), (["hmac-secret": true], "hmac-secret"),
      (["hmac-secret": .bytes([UInt8](repeating: 0, count: 33))], "hmac-secret"), (["uvm": [1]], "uvm"),
      (["thirdPartyPayment": "yes"], "thirdPartyPayment"),
    ] as [(CBORTree, String)])
  func `a malformed sign-in output is rejected with its name`(tree: CBORTree, name: String) throws {
    let map = try map(tree)
    #expect {
      try AuthenticationAuthenticatorOutputs(map)
    } throws: { error in
      (error as? FormatError)?.code == .authenticatorExtensionsInvalidMember && (error as? FormatError)?.member == name
    }
  }

  @Test func `encrypted outputs of the standard's vectors have a valid length`() throws {
    let document = try JSON.parse(File.bytes("\(projectFolder)/Vectors/w3c/prf/ctap2.json"))
    let vectors = try document.require("ctap2").require("vectors").array
    var count = 0
    for vector in vectors {
      let encrypted = try Hex.decode(vector.require("output_enc").string)
      let outputs = try AuthenticationAuthenticatorOutputs(map(["hmac-secret": .bytes(encrypted)]))
      #expect(outputs.hmacSecret == encrypted)
      count += 1
    }
    #expect(count == 3)
  }

  @Test func `outputs never trap, and error offsets are inside the input`() throws {
    for tree in [Self.registration, Self.authentication] {
      let bytes = CBORWriter.bytes(of: tree)
      try PropertyRuns.check(default: 6_000) { generator in
        let mutated = Mutation.mutated(bytes, using: &generator)
        guard let map = try? CBORValue(parsing: mutated[...], rules: .wellFormed).map else { return }
        do throws(FormatError) {
          _ = try RegistrationAuthenticatorOutputs(map)
        } catch {
          guard mutated.indices.contains(error.offset) else { throw Outside(offset: error.offset) }
        }
        _ = try? AuthenticationAuthenticatorOutputs(map)
      }
    }
  }

  private struct Outside: Error { let offset: Int }
}
