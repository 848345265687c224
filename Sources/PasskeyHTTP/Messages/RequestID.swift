// SPDX-License-Identifier: Apache-2.0

/// What a request is called from the log to the answer.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let description: String

  // 64 characters  [a UUID has 36, a trace id 32; more is no name]
  static let maximumLength = 64

  /// A name that somebody else gave: letters, digits, `.`, `_` and `-`, so that it can stand in a log line as it is.
  public init?(_ text: String) {
    guard 1...Self.maximumLength ~= text.utf8.count, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    description = text
  }

  /// A new name, of 128 random bits. It is no secret.
  public static func random() -> RequestID {
    RequestID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  private init(high: UInt64, low: UInt64) {
    var digits: [UInt8] = []
    digits.reserveCapacity(32)
    for half in [high, low] {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        let nibble = UInt8(truncatingIfNeeded: half >> shift) & 0xf
        digits.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
      }
    }
    description = String(decoding: digits, as: UTF8.self)
  }

  /// A new name; where a trusted proxy sent one, `given.NAME.SUFFIX`, with 64 random bits as the suffix.
  ///
  /// A proxy may pass on what the client sent, so the name alone proves nothing: the prefix marks it, and the suffix keeps
  /// it apart from every other request's name and from the names that the server itself writes into the audit trail.
  static func of(_ headers: HTTPHeaders, from peer: IPAddress, trusting proxies: TrustedProxies) -> RequestID {
    let own = RequestID.random()
    guard proxies.contains(peer), let given = headers["x-request-id"], let id = RequestID(given) else { return own }
    return RequestID(unchecked: "given.\(id).\(own.description.prefix(16))")
  }

  private init(unchecked description: String) {
    self.description = description
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default:
      false
    }
  }
}
