// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

// action = [ "passkey action 1", method, path, SHA-256 of the body ]   (CBOR in canonical form)
//
// Every part has its length in front, so that no two acts have the same bytes, whatever stands in them.

/// One act that needs a confirmation of its own: a request's method, path and body.
public struct ProtectedAction: Hashable, Sendable {
  /// The method, in upper case as HTTP has it.
  public let method: String

  /// The path with its query, byte for byte as it was sent.
  public let path: String

  /// SHA-256 of the body, byte for byte as it was sent.
  public let bodyDigest: [UInt8]

  // 4,096 bytes [longer than any path that a server takes]
  static let maximumByteCount = 4096

  /// The act that a request asks for.
  public init(method: String, path: String, body: Bytes) {
    self.method = method
    self.path = path
    bodyDigest = Digest.sha256(body)
  }

  /// The act of which a client knows the body's hash: to ask for its confirmation, the body itself is not needed.
  public init(method: String, path: String, bodyDigest: Bytes) throws(ServiceError) {
    guard bodyDigest.count == Self.digestByteCount else {
      throw ServiceError(.stepUpActionInvalid, "a body's SHA-256 of 32 bytes")
    }
    guard !method.isEmpty, path.utf8.first == UInt8(ascii: "/"),
      method.utf8.count + path.utf8.count <= Self.maximumByteCount
    else { throw ServiceError(.stepUpActionInvalid, "a method, and a path that begins with a slash") }
    self.method = method
    self.path = path
    self.bodyDigest = [UInt8](bodyDigest)
  }

  private static let digestByteCount = 32

  /// The act as bytes, of which no other act has the same.
  public var canonicalBytes: [UInt8] {
    CBORWriter.bytes(of: ["passkey action 1", .text(method), .text(path), .bytes(bodyDigest)])
  }

  /// SHA-256 of the act's bytes, by which it is confirmed.
  public var digest: [UInt8] { Digest.sha256(canonicalBytes[...]) }
}

extension ProtectedAction {
  /// Whether the acts have the same bytes. Text compares equal in Swift where it looks equal, and a path that looks like
  /// another one is another act.
  public static func == (left: Self, right: Self) -> Bool {
    left.canonicalBytes == right.canonicalBytes
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalBytes)
  }
}

extension ProtectedAction: CustomStringConvertible {
  /// The method and the path, for a log line.
  public var description: String { "\(method) \(path)" }
}
