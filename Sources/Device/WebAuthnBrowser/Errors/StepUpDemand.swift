// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats

/// The action that a server wants to have confirmed: a method, a path with its query, and the SHA-256 of the body.
public struct StepUpDemand: Hashable, Sendable {
  /// The method.
  public let method: String

  /// The path, with its query.
  public let path: String

  /// SHA-256 of the body.
  package let bodySHA256: [UInt8]

  /// Creates the demand for the confirmation of a request.
  package init(method: String, path: String, body: some ByteSource) {
    let body = body.slice
    self.method = method
    self.path = path
    bodySHA256 = Digest.sha256(body)
  }

  /// Reads the `stepUp` member of a problem. Returns nil if it is malformed.
  package init?(_ object: JSONValue) {
    guard let method = try? object.require("method").string, let path = try? object.require("path").string,
      let digest = try? object.require("bodySha256").base64URL
    else { return nil }
    self.method = method
    self.path = path
    bodySHA256 = digest
  }
}
