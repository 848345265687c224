// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

extension COSEKey {
  /// Reads a JSON Web Key (RFC 7517) as a COSE key; nil for other objects, and if `alg` does not fit the key. Without `alg`, the
  /// usual algorithm is taken.
  init?(jwk value: JSONValue) {
    func text(_ name: String) -> String? { try? value[name]?.string }
    func bytes(_ name: String) -> CBORTree? { (try? value[name]?.base64URL).map { CBORTree.bytes($0) } }
    let algorithm = text("alg")
    let tree: CBORTree
    switch (text("kty"), text("crv")) {
    case ("EC"?, let curve?):
      let curves: [String: (number: Int64, algorithm: Int64, name: String)] = [
        "P-256": (1, -7, "ES256"), "P-384": (2, -35, "ES384"), "P-521": (3, -36, "ES512"),
        "secp256k1": (8, -47, "ES256K"),
      ]
      guard let own = curves[curve], algorithm ?? own.name == own.name, let x = bytes("x"), let y = bytes("y") else {
        return nil
      }
      tree = [1: 2, 3: .integer(own.algorithm), -1: .integer(own.number), -2: x, -3: y]
    case ("OKP"?, "Ed25519"?):
      guard ["EdDSA", "Ed25519"].contains(algorithm ?? "EdDSA"), let x = bytes("x") else { return nil }
      tree = [1: 1, 3: -8, -1: 6, -2: x]
    case ("RSA"?, _):
      let algorithms: [String: Int64] = [
        "RS256": -257, "RS384": -258, "RS512": -259, "PS256": -37, "PS384": -38, "PS512": -39,
      ]
      guard let number = algorithms[algorithm ?? "RS256"], let modulus = bytes("n"), let exponent = bytes("e") else {
        return nil
      }
      tree = [1: 3, 3: .integer(number), -1: modulus, -2: exponent]
    default: return nil
    }
    guard let key = try? COSEKey(parsing: CBORWriter.bytes(of: tree)) else { return nil }
    self = key
  }
}

/// A JSON Web Token or another JWS in compact form (RFC 7515).
enum JSONWebToken {
  /// Returns the token's parts as one JSON object; nil for other text. The signature is not verified.
  static func parts(of text: some ByteSource) -> [UInt8]? {
    let text = text.slice
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = object(parts[0]), let payload = object(parts[1]),
      let signature = try? Base64URL.decode(parts[2])
    else { return nil }
    return JSON.writeObject { (output) in
      output.write("header", .value(header))
      output.write("payload", .value(payload))
      output.write("signature", .base64URL(signature))
    }
  }

  private static func object(_ part: Bytes) -> JSONValue? {
    guard let bytes = try? Base64URL.decode(part),
      let value = try? JSON.parse(bytes, maximumSize: Inspection.maximumByteCount), value.kind == .object
    else { return nil }
    return value
  }
}
