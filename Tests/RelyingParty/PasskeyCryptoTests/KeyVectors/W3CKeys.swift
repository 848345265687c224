// SPDX-License-Identifier: Apache-2.0

import Foundation
import PasskeyCOSE
import PasskeyCrypto
import PasskeyTestSupport

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

extension W3CKeys {
  private static let algorithms: [String: COSEAlgorithm] = [
    "packed.ES384": .es384, "packed.ES512": .es512, "packed.RS256": .rs256, "packed.EdDSA": .eddsa,
    "packed.Ed448": .ed448,
  ]

  /// The standard's keys, with the signatures of its assertions.
  static func keyVectors() throws -> [KeyVector] {
    let assertions = Dictionary(grouping: try W3CAssertion.all(), by: \.name)
    return try Self().vectors.map { (name, vector) in
      let algorithm = algorithms[name] ?? .es256
      return KeyVector(
        label: name, algorithm: algorithm, draws: vector.draws.map(\.bytes),
        hasKeyAfterChallenge: name == "none.ES256" || (algorithms[name] != nil && algorithm != .rs256),
        key: { try vector.key(algorithm) }, signatures: try (assertions[name] ?? []).map { try $0.signed() })
    }
  }
}

extension W3CKeys.Vector {
  /// A member that a test needs is missing.
  struct Missing: Error {}

  /// The private key of the credential.
  fileprivate func key(_ algorithm: COSEAlgorithm) throws -> SigningKey {
    guard let registration else { throw Missing() }
    if let p = registration["private_key_p"], let q = registration["private_key_q"] {
      return try SigningKey(algorithm, primes: SecretBytes(hex(p)), SecretBytes(hex(q)))
    }
    guard let value = registration["credential_private_key"] ?? registration["private_key"] else { throw Missing() }
    return try SigningKey(algorithm, privateKey: SecretBytes(hex(value)))
  }

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

  /// The signed bytes and their signature.
  fileprivate func signed() throws -> (message: [UInt8], signature: [UInt8]) {
    guard let authenticatorData = Self.bytes(response.response.authenticatorData),
      let clientData = Self.bytes(response.response.clientDataJSON),
      let signature = Self.bytes(response.response.signature)
    else { throw W3CKeys.Vector.Missing() }
    return (authenticatorData + Digest.sha256(clientData), signature)
  }

  /// Returns the bytes of a base64url member.
  private static func bytes(_ text: String?) -> [UInt8]? {
    guard let text else { return nil }
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)).map(Array.init)
  }
}
