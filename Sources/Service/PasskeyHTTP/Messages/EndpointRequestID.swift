// SPDX-License-Identifier: Apache-2.0

/// The identifier of a request, in the log and in the response.
public struct EndpointRequestID: Hashable, Sendable, CustomStringConvertible {
  /// The identifier as text.
  public let description: String

  // 64 characters  [a UUID has 36, a trace ID 32]
  static let maximumLength = 64

  /// Creates an ID from text with letters, digits, `.`, `_` and `-`, which log lines need not escape; nil for other
  /// text.
  package init?(_ text: String) {
    guard 1...Self.maximumLength ~= text.utf8.count, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    description = text
  }

  /// Returns a new ID with 128 random bits. It is not secret.
  public static func random() -> EndpointRequestID {
    EndpointRequestID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
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

  /// Returns a new ID. If a trusted proxy sent a valid one, it is `given.ID.SUFFIX`, where the suffix has 64 random
  /// bits.
  ///
  /// A proxy may forward an ID that the client chose, so the ID alone proves nothing. The prefix marks it. The suffix
  /// makes it unique among requests and different from the IDs that the server itself writes to the audit log.
  package static func of(
    _ headers: EndpointHeaders, from peer: IPAddress, trusting proxies: TrustedProxies
  ) -> EndpointRequestID {
    let own = EndpointRequestID.random()
    guard proxies.contains(peer), let given = headers["x-request-id"], let id = EndpointRequestID(given) else {
      return own
    }
    return EndpointRequestID(unchecked: "given.\(id).\(own.description.prefix(16))")
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
