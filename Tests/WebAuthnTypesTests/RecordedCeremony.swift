// SPDX-License-Identifier: Apache-2.0

import TestSupport
import WebAuthnTypes
import WireFormats

/// One case of the shared vectors: a recorded response.
struct RecordedCeremony {
  let id: String
  let isRegistration: Bool
  let response: Bytes

  /// All cases of all files with recorded responses.
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
    response = Bytes(try json.require("response").encoded)
  }
}
