// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnTypes

/// An authenticator and a browser that follow the test, even if it violates the standard. Tests may change every part
/// before the response is created.
struct TestDevice {
  var type = ClientDataType.create
  var challenge: Challenge
  var origin = "https://raxx.app"
  var crossOrigin: Bool? = false
  var topOrigin: String?
  var payment: ShownPayment?
  var relyingPartyID = "raxx.app"
  var flags: AuthenticatorFlags = [.userPresent, .userVerified]
  var signCount: UInt32 = 0
  var credentialID = [UInt8](repeating: 7, count: 32)

  /// The browser's credential ID, if it differs from the authenticator's.
  var responseID: [UInt8]?
  var userHandle: [UInt8]? = [UInt8]("user-1".utf8)
  var key: SigningKey
  var publicKey: [UInt8]?
  var extensions: CBORTree?
  var clientExtensions: ClientExtensions = [:]
  var format = "none"
  var statement: CBORTree = [:]

  /// Replaces the client data verbatim.
  var clientDataText: String?

  /// Changes the encoded authenticator data before anything is signed.
  var corruptAuthenticatorData: (inout [UInt8]) -> Void = { _ in }

  /// Signs with another key than the credential's.
  var signingKey: SigningKey?

  init(challenge: Challenge) throws {
    self.challenge = challenge
    key = try .generate(.es256, random: .seeded([1], label: "test device"))
  }

  var clientDataJSON: [UInt8] {
    if let clientDataText { return [UInt8](clientDataText.utf8) }
    return JSON.writeObject {
      $0.write("type", .string(type.rawValue))
      $0.write("challenge", .base64URL(challenge.bytes))
      $0.write("origin", .string(origin))
      if let crossOrigin { $0.write("crossOrigin", .bool(crossOrigin)) }
      if let topOrigin { $0.write("topOrigin", .string(topOrigin)) }
      if let payment { $0.writeObject("payment") { inside in payment.write(into: &inside) } }
    }
  }

  func authenticatorData(attested: Bool) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Digest.sha256([UInt8](relyingPartyID.utf8)[...]))
    var flags = flags
    if attested { flags.insert(.attestedCredentialData) }
    if extensions != nil { flags.insert(.extensionData) }
    writer.write(flags.rawValue)
    writer.write(signCount)
    if attested {
      writer.write([UInt8](repeating: 0xaa, count: 16))
      writer.write(UInt16(credentialID.count))
      writer.write(credentialID)
      writer.write(publicKey ?? key.publicKey.encoded)
    }
    if let extensions { writer.write(CBORWriter.bytes(of: extensions)) }
    var bytes = writer.bytes
    corruptAuthenticatorData(&bytes)
    return bytes
  }

  func registration() throws -> RegistrationResponse {
    let object: CBORTree = [
      "fmt": .text(format), "attStmt": statement, "authData": .bytes(authenticatorData(attested: true)),
    ]
    return RegistrationResponse(
      id: try CredentialID(responseID ?? credentialID), clientDataJSON: clientDataJSON[...],
      attestationObject: CBORWriter.bytes(of: object)[...], clientExtensionResults: clientExtensions)
  }

  func authentication() throws -> AuthenticationResponse {
    let data = authenticatorData(attested: false)
    let signed = data + Digest.sha256(clientDataJSON[...])
    return AuthenticationResponse(
      id: try CredentialID(responseID ?? credentialID), clientDataJSON: clientDataJSON[...],
      authenticatorData: data[...], signature: try (signingKey ?? key).sign(signed[...], .deterministic)[...],
      userHandle: try userHandle.map { try UserHandle($0) }, clientExtensionResults: clientExtensions)
  }
}
