// SPDX-License-Identifier: Apache-2.0

import TestSupport
import WebAuthnTypes
import WireFormats

/// One case of the shared vectors: a response as a verifier gets it, and what it should be judged by.
struct RecordedCeremony {
  let id: String
  let isRegistration: Bool
  let challenge: Challenge
  let origins: [String]
  let response: Bytes

  /// Every case of every file that has some.
  static func all() throws -> [RecordedCeremony] {
    let files = [
      "w3c-level3", "peers/go-webauthn", "peers/java-webauthn-server", "peers/webauthn-ruby", "peers/webauthn-swift",
      "peers/webauthn4j",
    ]
    return try files.flatMap { file in
      let bytes = try SharedVectors.bytes("\(file).json")
      let document = try JSON.parse(bytes[...], maximumSize: bytes.count)
      return try document.require("cases").array.map(Self.init)
    }
  }

  private init(_ json: JSONValue) throws {
    id = try json.require("id").string
    isRegistration = try json.require("ceremony").string == "registration"
    challenge = Challenge(allowingGuessableLength: try json.require("challenge").base64URL[...])
    origins = try json.require("rp").require("origins").array.map { try $0.string }
    response = Bytes(try json.require("response").encoded)
  }

  /// The client data of the response.
  func clientData() throws -> Bytes {
    isRegistration
      ? try RegistrationResponse(json: response).clientDataJSON
      : try AuthenticationResponse(json: response).clientDataJSON
  }
}
