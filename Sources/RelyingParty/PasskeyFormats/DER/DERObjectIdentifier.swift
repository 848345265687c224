// SPDX-License-Identifier: Apache-2.0

// Limits
//   arc: 64 bits     [larger arcs exist only under 2.25 (UUIDs), which WebAuthn does not use]
//   octets: 256      [the longest registered identifiers have about 30]

/// An object identifier (X.660): the name of an algorithm, attribute or extension, such as 2.5.29.15.
package struct DERObjectIdentifier: Hashable, Sendable {
  /// The content octets of the DER element: each arc in base 128, the first two arcs combined (X.690 §8.19).
  package let encoded: Bytes

  /// The maximum number of content octets.
  package static let maximumByteCount = 256

  /// Creates an identifier from content octets; `nil` if they are malformed or exceed the limits.
  package init?(encoded: some ByteSource) {
    let encoded = encoded.slice
    guard let last = encoded.last, last & 0x80 == 0, encoded.count <= Self.maximumByteCount else { return nil }
    var arc: UInt64 = 0
    var isFirstOctet = true
    for octet in encoded {
      guard !isFirstOctet || octet != 0x80, arc >> 57 == 0 else { return nil }
      arc = arc << 7 | UInt64(octet & 0x7f)
      isFirstOctet = octet & 0x80 == 0
      if isFirstOctet { arc = 0 }
    }
    self.encoded = encoded
  }

  /// Creates an identifier from arcs; `nil` if there are fewer than two or the first two are invalid.
  package init?(arcs: [UInt64]) {
    guard let root = arcs.first, let second = arcs.dropFirst().first else { return nil }
    // Roots 0 and 1 have 40 arcs each. Values from 80 up belong to root 2.
    guard root < 2 ? second < 40 : root == 2 && second <= .max - 80 else { return nil }
    var octets: [UInt8] = []
    Self.append(root * 40 + second, to: &octets)
    for arc in arcs.dropFirst(2) {
      Self.append(arc, to: &octets)
    }
    guard octets.count <= Self.maximumByteCount else { return nil }
    encoded = octets[...]
  }

  /// Parses dotted decimal text such as "2.5.29.15"; `nil` if it is malformed.
  package init?(dotted text: String) {
    var arcs: [UInt64] = []
    for digits in text.split(separator: ".", omittingEmptySubsequences: false) {
      // Rejects leading zeros and characters other than digits.
      guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
        digits.count == 1 || digits.first != "0", let arc = UInt64(digits)
      else { return nil }
      arcs.append(arc)
    }
    self.init(arcs: arcs)
  }

  /// The arcs.
  package var arcs: [UInt64] {
    var arcs: [UInt64] = []
    var arc: UInt64 = 0
    for octet in encoded {
      arc = arc << 7 | UInt64(octet & 0x7f)
      guard octet & 0x80 == 0 else { continue }
      if arcs.isEmpty {
        let root = min(arc / 40, 2)
        arcs = [root, arc - root * 40]
      } else {
        arcs.append(arc)
      }
      arc = 0
    }
    return arcs
  }

  private static func append(_ arc: UInt64, to octets: inout [UInt8]) {
    let groups = max(1, (UInt64.bitWidth - arc.leadingZeroBitCount + 6) / 7)
    for group in (0..<groups).reversed() {
      octets.append(UInt8(arc >> (group * 7) & 0x7f) | (group == 0 ? 0 : 0x80))
    }
  }
}

extension DERObjectIdentifier: ExpressibleByArrayLiteral {
  /// Creates an identifier from a literal in source code. Traps if the arcs are not a valid identifier.
  package init(arrayLiteral arcs: UInt64...) {
    guard let identifier = Self(arcs: arcs) else { preconditionFailure("\(arcs) is not an object identifier") }
    self = identifier
  }
}

extension DERObjectIdentifier: CustomStringConvertible {
  /// The identifier in dotted decimal form.
  package var description: String { arcs.map(String.init).joined(separator: ".") }
}
