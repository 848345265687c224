// SPDX-License-Identifier: Apache-2.0

/// What a client hands on from the extension `hmacGetSecret` (CTAP 2.3 §12). Secrets, which no description shows.
public struct HMACSecretOutputs: Hashable, Sendable {
  /// What came for the first salt, 32 bytes.
  public let output1: [UInt8]

  /// What came for the second salt, where there was one, 32 bytes.
  public let output2: [UInt8]?

  /// Takes one output or two, of 32 bytes each.
  public init(output1: [UInt8], output2: [UInt8]? = nil) throws(FormatError) {
    let members = try ExtensionMembers(Self.value(output1, output2), at: ExtensionName.hmacGetSecret)
    try self.init(members)
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    output1 = try members.bytes("output1", count: HMACSecretSalts.byteCount)
    output2 = try members.bytesIfPresent("output2", count: HMACSecretSalts.byteCount)
  }

  /// The outputs as JSON has them.
  public var value: ExtensionValue { Self.value(output1, output2) }

  private static func value(_ output1: [UInt8], _ output2: [UInt8]?) -> ExtensionValue {
    .object(ofPresent: ["output1": .base64URL(output1), "output2": output2.map { .base64URL($0) }])
  }
}

extension HMACSecretOutputs: CustomStringConvertible, CustomReflectable {
  /// How many there are, and nothing of what they are.
  public var description: String { output2 == nil ? "one value" : "two values" }

  /// Nothing: a secret does not reach a log by way of a dump either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
