// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
package import PasskeyFormats

/// The keys with which the service signs tokens for back ends (ES256).
///
/// Each key is derived from the server's secret and the name of the key, so every server of the store has it, and no file
/// contains it. The first one signs; back ends accept the tokens of all. To replace a key, publish the next one behind it
/// for as long as back ends cache the key set, then move it to the front, and drop the old one when its last token has
/// expired.
public struct TokenKeys: Sendable {
  private let keys: [(id: String, key: SigningKey)]

  /// The public keys as a JSON Web Key Set (RFC 7517).
  public let keySet: [UInt8]

  // 8 [two during a rotation; each costs a look-up]
  private static let maximumCount = 8

  /// Derives the keys with these names, which have 1 to 32 letters, digits and hyphens.
  ///
  /// - Throws: `service.configuration-invalid` if a name is malformed or repeated, or without any name.
  package init(_ names: [String], of service: AuthService) throws(ServiceError) {
    guard 1...Self.maximumCount ~= names.count, Set(names).count == names.count, names.allSatisfy(Self.isName) else {
      throw ServiceError(
        .configurationInvalid, "name 1 to \(Self.maximumCount) different token keys, with letters, digits and hyphens")
    }
    var keys: [(id: String, key: SigningKey)] = []
    var documents: [[UInt8]] = []
    for name in names {
      let seed = service.derivedKey(for: "token key 1 \(name)")
      let key = try mapError(
        seed.withBytes { (seed) throws(PasskeyCryptoError) in
          try SigningKey.generate(.es256, random: .seeded(seed))
        }
      ) { (error: PasskeyCryptoError) in ServiceError(.configurationInvalid, cause: .crypto(error)) }
      guard case .ec2(_, let x, let y) = key.publicKey.material else { throw ServiceError(.configurationInvalid) }
      // RFC 7638: the digest of the required members in this order.
      let members = #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#
      let id = Base64URL.encode(Digest.sha256(Array(members.utf8)))
      keys.append((id, key))
      documents.append(
        JSON.writeObject { (object: inout JSONObjectWriter) in
          object.write("kty", "EC")
          object.write("crv", "P-256")
          object.write("x", .base64URL(x))
          object.write("y", .base64URL(y))
          object.write("use", "sig")
          object.write("alg", "ES256")
          object.write("kid", id)
        })
    }
    self.keys = keys
    keySet = Array("{\"keys\":[".utf8) + documents.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
  }

  /// Returns a token with these claims, signed with the first key.
  ///
  /// - Throws: `service.randomness-unavailable` if libcrypto cannot sign.
  package func token(_ claims: (inout JSONObjectWriter) -> Void) throws(ServiceError) -> String {
    guard let first = keys.first else { throw ServiceError(.configurationInvalid, "no token key") }
    return try mapError(JSONWebToken(key: first.key, keyID: first.id).text(claims)) { (error: PasskeyCryptoError) in
      ServiceError(.randomnessUnavailable, cause: .crypto(error))
    }
  }

  /// Returns the claims of a token that one of the keys signed; nil for any other text. The caller checks the claims.
  package func claims(of token: String) -> JSONValue? {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard token.utf8.count <= Self.maximumTokenLength, parts.count == 3 else { return nil }
    do throws(WireError) {
      let header = try JSON.parse(Base64URL.decode(parts[0]))
      // The algorithm is that of the key: a header that names another one, such as "none" or "HS256", is not ours.
      guard try header.require("alg").string == "ES256", try header["crit"] == nil else { return nil }
      let id = try header.require("kid").string
      let signature = try Base64URL.decode(parts[2])
      guard let key = keys.first(where: { $0.id == id })?.key.publicKey, signature.count == 64,
        let numbers = ECDSASignature(r: signature.prefix(32), s: signature.suffix(32)),
        (try? key.verify(numbers.der, over: Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count)))) != nil
      else { return nil }
      return try JSON.parse(Base64URL.decode(parts[1]))
    } catch {
      return nil
    }
  }

  // 4,096 bytes [ours have about 700]
  private static let maximumTokenLength = 4_096

  private static func isName(_ name: String) -> Bool {
    1...32 ~= name.utf8.count
      && name.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
      }
  }
}
