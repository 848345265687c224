// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import WebAuthnTypes

/// A recorded response: a verified one of our own vectors, or one of the shared vectors.
struct RecordedCeremony {
  let id: String
  let isRegistration: Bool
  let response: Bytes

  /// Our own cases and, where they are present, the shared ones.
  static func all() throws -> [RecordedCeremony] {
    let folder = "\(projectFolder)/Vectors"
    // responses.json has deviations that only a lenient reader accepts.
    let names = try File.names(in: folder).filter {
      $0.hasSuffix(".json") && $0 != "schema.json" && $0 != "responses.json"
    }
    let own = try names.flatMap { (name) in
      try cases(in: File.bytes("\(folder)/\(name)")).filter { try $0.require("expect").require("verified").bool }
    }
    let shared = [
      "w3c-level3", "peers/go-webauthn", "peers/java-webauthn-server", "peers/webauthn-ruby", "peers/webauthn-swift",
      "peers/webauthn4j",
    ]
    let others = SharedVectors.arePresent ? try shared.flatMap { try cases(in: SharedVectors.bytes("\($0).json")) } : []
    return try (own + others).map(Self.init)
  }

  private static func cases(in bytes: [UInt8]) throws -> [JSONValue] {
    try Array(JSON.parse(bytes, maximumSize: bytes.count).require("cases").array)
  }

  private init(_ json: JSONValue) throws {
    id = try json.require("id").string
    isRegistration = try json.require("ceremony").string == "registration"
    response = Bytes(try json.require("response").encoded)
  }
}
