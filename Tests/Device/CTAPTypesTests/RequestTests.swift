// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Round trips and encodings of requests.
struct RequestTests {
  static let hash = [UInt8](repeating: 0xcd, count: 32)[...]

  static var salts: HMACSecretInput {
    get throws {
      // The base point of P-256 serves as a valid public key.
      let x = hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
      let y = hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
      return HMACSecretInput(
        keyAgreement: try COSEKey(algorithm: .ecdhESHKDF256, material: .ec2(curve: .p256, x: x[...], y: y[...])),
        encryptedSalts: [1, 2], saltAuthentication: [3, 4], pinUVAuthProtocol: 2)
    }
  }

  static var whole: MakeCredentialRequest {
    get throws {
      var request = MakeCredentialRequest(
        clientDataHash: hash, relyingPartyID: "raxx.app", relyingPartyName: "Raxx",
        user: PasskeyUser(id: try UserHandle([1, 2]), name: "ada@raxx.app", displayName: "Ada"),
        parameters: [CredentialParameters(algorithm: .es256), CredentialParameters(algorithm: .rs256)])
      request.excludeList = [CredentialDescriptor(id: try CredentialID([5]))]
      request.extensions.credentialProtection = 2
      request.extensions.hmacSecret = true
      request.extensions.hmacSecretOnCreation = try salts
      request.extensions.credentialBlob = [8]
      request.extensions.largeBlobKey = true
      request.extensions.flags = ["minPinLength": true, "pinComplexityPolicy": true]
      request.extensions.thirdPartyPayment = true
      request.options = CommandOptions(residentKey: true, userPresence: true, userVerification: false)
      request.pinUVAuthParameter = [6]
      request.pinUVAuthProtocol = 2
      request.enterpriseAttestation = 1
      request.attestationFormats = [.packed, .none]
      return request
    }
  }

  @Test func `a registration request survives a round trip`() throws {
    let whole = try Self.whole
    #expect(try MakeCredentialRequest(parsing: whole.encoded) == whole)
    let minimal = MakeCredentialRequest(
      clientDataHash: Self.hash, relyingPartyID: "raxx.app", user: PasskeyUser(id: try UserHandle([1])), parameters: [])
    #expect(try MakeCredentialRequest(parsing: minimal.encoded) == minimal)
  }

  @Test func `a registration request has the standard's encoding`() throws {
    let request = MakeCredentialRequest(
      clientDataHash: Self.hash, relyingPartyID: "a", relyingPartyName: "b",
      user: PasskeyUser(id: try UserHandle([1]), name: "c"), parameters: [CredentialParameters(algorithm: .es256)])
    #expect(
      request.encoded
        == hex("a4 01 5820") + Self.hash + hex("02 a2 626964 6161 646e616d65 6162")
        + hex("03 a2 626964 4101 646e616d65 6163")
        + hex("04 81 a2 63616c67 26 6474797065 6a7075626c69632d6b6579"))
  }

  @Test func `an assertion survives a round trip`() throws {
    var whole = GetAssertionRequest(
      relyingPartyID: "raxx.app", clientDataHash: Self.hash,
      allowList: [CredentialDescriptor(id: try CredentialID([5]))])
    whole.extensions.credentialBlob = true
    whole.extensions.hmacSecret = try Self.salts
    whole.extensions.largeBlobKey = true
    whole.extensions.thirdPartyPayment = false
    whole.options = CommandOptions(userPresence: false)
    whole.pinUVAuthParameter = []
    whole.pinUVAuthProtocol = 1
    #expect(try GetAssertionRequest(parsing: whole.encoded) == whole)
    let minimal = GetAssertionRequest(relyingPartyID: "", clientDataHash: Self.hash)
    #expect(try GetAssertionRequest(parsing: minimal.encoded) == minimal)
  }

  @Test func `an assertion request has the standard's encoding`() throws {
    var request = GetAssertionRequest(
      relyingPartyID: "a", clientDataHash: Self.hash, allowList: [CredentialDescriptor(id: try CredentialID([5]))])
    request.options.userPresence = false
    #expect(
      request.encoded
        == hex("a4 01 6161 02 5820") + Self.hash + hex("03 81 a2 626964 4105 6474797065 6a7075626c69632d6b6579")
        + hex("05 a1 627570 f4"))
  }

  @Test func `an empty allow list counts as absent`() throws {
    let request = GetAssertionRequest(relyingPartyID: "a", clientDataHash: Self.hash, allowList: [])
    #expect(try GetAssertionRequest(parsing: request.encoded).allowList == nil)
  }

  /// CTAP 2.3 §6.1 and §6.2 take the lists as WebAuthn defines them. The authenticator compares types (WebAuthn Level 3
  /// §6.3.2, step 3), and a list of unknown types differs from an empty one (§5.8.3).
  @Test func `a descriptor of an unknown type is kept`() throws {
    let list = [
      CredentialDescriptor(type: CredentialType(rawValue: "other"), id: try CredentialID([5])),
      CredentialDescriptor(id: try CredentialID([6])),
    ]
    let assertion = GetAssertionRequest(relyingPartyID: "a", clientDataHash: Self.hash, allowList: list)
    #expect(try GetAssertionRequest(parsing: assertion.encoded).allowList == list)
    var registration = try Self.whole
    registration.excludeList = list
    #expect(try MakeCredentialRequest(parsing: registration.encoded).excludeList == list)
  }

  @Test(arguments: [(0, CTAPStatus.invalidLength), (65, .invalidLength), (64, .success), (1, .success)])
  func `a user of a request has a handle of 1 to 64 bytes`(count: Int, expected: CTAPStatus) throws {
    var request = try Self.whole
    request.user = PasskeyUser(id: try UserHandle([0xee, 0xee, 0xee]))
    let id = [UInt8](repeating: 0xee, count: count)
    let head: [UInt8] = count < 24 ? [0x40 | UInt8(count)] : [0x58, UInt8(count)]
    let bytes = request.encoded.replacing([0x43, 0xee, 0xee, 0xee], with: head + id)
    do throws(CTAPError) {
      _ = try MakeCredentialRequest(parsing: bytes)
      #expect(expected == .success)
    } catch {
      #expect(error.status == expected)
    }
  }

  @Test func `a mutated request is rejected with a status or survives a round trip`() throws {
    let make = try Self.whole.encoded
    try PropertyRuns.check(default: 5_000) { (generator) throws in
      let mutated = Mutation.mutated(make, using: &generator)
      guard let request = try? MakeCredentialRequest(parsing: mutated) else { return }
      let again = try MakeCredentialRequest(parsing: request.encoded)
      #expect(again == request)
    }
  }
}
