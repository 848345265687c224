// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// One or two inputs of a credential's pseudo-random function, or what it gives for them (WebAuthn §10.1.4).
///
/// What it gives is a secret, and often a key. Neither a description nor a dump of the values shows them.
public struct PRFValues: Hashable, Sendable {
  /// The first.
  public var first: [UInt8]

  /// The second, where there are two.
  public var second: [UInt8]?

  /// The length of what the function gives for an input of any length.
  public static let resultByteCount = 32

  /// One value or two.
  public init(first: [UInt8], second: [UInt8]? = nil) {
    self.first = first
    self.second = second
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    first = try members.bytes("first")
    second = try members.bytesIfPresent("second")
  }

  init(results members: ExtensionMembers) throws(FormatError) {
    first = try members.bytes("first", count: Self.resultByteCount)
    second = try members.bytesIfPresent("second", count: Self.resultByteCount)
  }

  /// The values as JSON has them.
  public var value: ExtensionValue {
    .object(ofPresent: ["first": .base64URL(first), "second": second.map { .base64URL($0) }])
  }
}

extension PRFValues: CustomStringConvertible, CustomReflectable {
  /// How many there are, and nothing of what they are.
  public var description: String { second == nil ? "one value" : "two values" }

  /// Nothing: a secret does not reach a log by way of a dump either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
