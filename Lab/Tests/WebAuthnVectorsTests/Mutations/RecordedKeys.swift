// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// The private keys of the standard's own vectors, and of the project's.
enum RecordedKeys {
  /// Returns the private key of a case's credential; nil where it is unknown.
  static func signingKey(of recorded: VerificationCase) throws -> SigningKey? {
    if let key = try ownKey(of: recorded) { return key }
    let path = recorded.id.split(separator: "/")
    guard path.first?.hasPrefix("w3c") == true, path.count > 1, let publicKey = recorded.credential?.publicKey,
      let values = try vectors[String(path[1])]?["registration"]
    else { return nil }
    func secret(_ name: String) throws -> SecretBytes? { try values[name].map { SecretBytes(hex(try $0.string)[...]) } }
    let algorithm = try COSEKey(parsing: publicKey[...]).algorithm
    if let p = try secret("private_key_p"), let q = try secret("private_key_q") {
      return try SigningKey(algorithm, primes: p, q)
    }
    guard let scalar = try secret("credential_private_key") ?? secret("private_key") else { return nil }
    return try SigningKey(algorithm, privateKey: scalar)
  }

  /// Returns the key of a case of this project, which derives from the case's id.
  private static func ownKey(of recorded: VerificationCase) throws -> SigningKey? {
    guard let publicKey = recorded.credential?.publicKey, recorded.relyingParty.id == ScenarioDefaults.relyingPartyID,
      let algorithm = try? COSEKey(parsing: publicKey[...]).algorithm, algorithm.definition?.keyType != .rsa
    else { return nil }
    let key = try ScenarioValues(recorded.id, algorithm).credentialKey
    return key.publicKey.encoded == publicKey ? key : nil
  }

  private static let vectors: JSONValue = {
    // Where the file is missing, the cases that need it are missing too.
    guard let bytes = try? SharedVectors.bytes("w3c-keys.json"), let file = try? JSON.parse(bytes[...]),
      let vectors = try? file.require("vectors")
    else { preconditionFailure("w3c-keys.json cannot be read") }
    return vectors
  }()
}
