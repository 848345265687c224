// SPDX-License-Identifier: Apache-2.0

import COSE
import Foundation
import TestSupport

/// The private values of WebAuthn Level 3's test vectors, and the assertions signed with them.
struct W3CKeys: Decodable {
  let vectors: [String: Vector]

  struct Vector: Decodable {
    let registration: [String: String]?
    let authentication: [String: String]?
    let derivation: Derivations
  }

  struct Derivations: Decodable {
    let registration: [String: Derivation]?
    let authentication: [String: Derivation]?
  }

  struct Derivation: Decodable {
    let salt: String
    let info: String
    let length: Int
  }

  /// One drawn value and the index of its draw.
  struct Draw {
    let number: Int
    let name: String
    let bytes: [UInt8]
  }

  init() throws {
    self = try JSONDecoder().decode(Self.self, from: Data(SharedVectors.bytes("w3c-keys.json")))
  }
}

extension W3CKeys.Vector {
  /// All drawn values, in the order of the draws.
  var draws: [W3CKeys.Draw] {
    let ceremonies = [(derivation.registration, registration), (derivation.authentication, authentication)]
    let draws = ceremonies.flatMap { (derivations, values) in
      (derivations ?? [:]).map { (name, derivation) in
        W3CKeys.Draw(
          number: Int(hex(derivation.salt).last ?? 0), name: name, bytes: hex(values?[name] ?? ""))
      }
    }
    return draws.sorted { $0.number < $1.number }
  }
}

/// An assertion of the standard's vectors.
struct W3CAssertion: Decodable {
  let id: String
  let ceremony: String
  let response: Credential

  struct Credential: Decodable {
    let response: Response
  }

  struct Response: Decodable {
    let clientDataJSON: String
    let authenticatorData: String?
    let signature: String?
  }

  /// The name of the vector and its private values.
  var name: String { String(id.split(separator: "/").dropFirst().first ?? "") }

  static func all() throws -> [W3CAssertion] {
    struct File: Decodable {
      let cases: [W3CAssertion]
    }
    let file = try JSONDecoder().decode(File.self, from: Data(SharedVectors.bytes("w3c-level3.json")))
    return file.cases.filter { $0.ceremony == "authentication" }
  }

  /// Returns the bytes of a base64url member.
  static func bytes(_ text: String?) -> [UInt8]? {
    guard let text else { return nil }
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)).map(Array.init)
  }
}
