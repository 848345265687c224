// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
internal import PasskeyFormats

/// A secret shared with a webhook's receiver, in the text form of Standard Webhooks: `whsec_` and base64.
public struct WebhookSecret: Sendable {
  let bytes: SecretBytes

  // 24 to 64 bytes [Standard Webhooks]
  static let byteCounts = 24...64

  /// Parses the text form. Surrounding white space is ignored, such as the line end of a file.
  ///
  /// - Throws: `delivery.secret-invalid`.
  public init(_ text: SecretBytes) throws(DeliveryError) {
    let decoded: [UInt8]? = text.withBytes { (text) in
      let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
      var body = text.drop(while: isSpace)
      while let last = body.last, isSpace(last) { body = body.dropLast() }
      guard body.starts(with: "whsec_".utf8) else { return nil }
      return try? Base64.decode(body.dropFirst(6))
    }
    guard let decoded, Self.byteCounts.contains(decoded.count) else {
      throw DeliveryError(.secretInvalid, "use whsec_ and the base64 of 24 to 64 random bytes")
    }
    bytes = SecretBytes(decoded)
  }

  /// Returns the signature of a message, as in the header field `webhook-signature`.
  func signature(id: String, timestamp: String, body: [UInt8]) -> String {
    let message = Array("\(id).\(timestamp).".utf8) + body
    return "v1,\(Base64.encode(HMAC.tag(of: message, key: bytes)))"
  }
}
