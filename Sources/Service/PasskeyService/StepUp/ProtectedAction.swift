// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats

// action = [ "passkey action 1", method, path, SHA-256 of the body ]   (CBOR in canonical form)
//
// Each part has a length prefix, so different actions have different bytes, whatever their content.

/// An action that requires a confirmation: a request's method, path and body.
public struct ProtectedAction: Hashable, Sendable {
  /// The method, in upper case as in HTTP.
  public let method: String

  /// The path with its query, exactly as sent.
  public let path: String

  /// The SHA-256 of the body, exactly as sent.
  package let bodyDigest: [UInt8]

  // 4,096 bytes [longer than any path that a server accepts]
  static let maximumByteCount = 4096

  /// Creates the action of a request.
  @usableFromInline package init(method: String, path: String, body: Bytes) {
    self.method = method
    self.path = path
    bodyDigest = Digest.sha256(body)
  }

  /// Creates the action of a request.
  @inlinable
  public init(method: String, path: String, body: some Collection<UInt8>) {
    self.init(method: method, path: path, body: Bytes(body))
  }

  /// Creates an action from the body's hash, so that a client can request confirmation without sending the body.
  ///
  /// - Throws: `step-up.action-invalid` if a part is malformed.
  @usableFromInline package init(method: String, path: String, bodyDigest: Bytes) throws(ServiceError) {
    guard bodyDigest.count == Self.digestByteCount else {
      throw ServiceError(.stepUpActionInvalid, "the SHA-256 of the body must have 32 bytes")
    }
    guard !method.isEmpty, path.utf8.first == UInt8(ascii: "/"),
      method.utf8.count + path.utf8.count <= Self.maximumByteCount
    else {
      throw ServiceError(.stepUpActionInvalid, "the method must not be empty, and the path must begin with a slash")
    }
    self.method = method
    self.path = path
    self.bodyDigest = [UInt8](bodyDigest)
  }

  /// Creates an action from the body's hash, so that a client can request confirmation without sending the body.
  ///
  /// - Throws: `step-up.action-invalid` if a part is malformed.
  @inlinable
  public init(method: String, path: String, bodyDigest: some Collection<UInt8>) throws(ServiceError) {
    try self.init(method: method, path: path, bodyDigest: Bytes(bodyDigest))
  }

  private static let digestByteCount = 32

  /// The canonical encoding, which is unique to the action.
  package var canonicalBytes: [UInt8] {
    CBORWriter.bytes(of: ["passkey action 1", .text(method), .text(path), .bytes(bodyDigest)])
  }

  /// The SHA-256 of the canonical bytes, which the confirmation covers.
  package var digest: [UInt8] { Digest.sha256(canonicalBytes) }
}

extension ProtectedAction {
  /// Returns whether the actions have the same bytes. Swift's string comparison treats canonically equivalent text as
  /// equal, but such paths are different actions.
  public static func == (left: Self, right: Self) -> Bool {
    left.canonicalBytes == right.canonicalBytes
  }

  /// Hashes the canonical bytes, consistent with equality.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalBytes)
  }
}

extension ProtectedAction: CustomStringConvertible {
  /// The method and the path, for a log line.
  public var description: String { "\(method) \(path)" }
}
