// SPDX-License-Identifier: Apache-2.0

/// What the extension `hmacGetSecret` is asked (CTAP 2.3 §12), by clients that hand it on as it is: browsers have
/// `prf` in its place.
public struct HMACSecretSalts: Hashable, Sendable {
  /// The first salt, 32 bytes.
  public let salt1: [UInt8]

  /// The second salt, where there is one, 32 bytes.
  public let salt2: [UInt8]?

  /// The length of a salt, and of what comes back for it.
  public static let byteCount = 32

  /// Takes one salt or two, of 32 bytes each.
  public init(salt1: [UInt8], salt2: [UInt8]? = nil) throws(FormatError) {
    let members = try ExtensionMembers(Self.value(salt1, salt2), at: ExtensionName.hmacGetSecret)
    try self.init(members)
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    salt1 = try members.bytes("salt1", count: Self.byteCount)
    salt2 = try members.bytesIfPresent("salt2", count: Self.byteCount)
  }

  /// The salts as JSON has them.
  public var value: ExtensionValue { Self.value(salt1, salt2) }

  private static func value(_ salt1: [UInt8], _ salt2: [UInt8]?) -> ExtensionValue {
    .object(ofPresent: ["salt1": .base64URL(salt1), "salt2": salt2.map { .base64URL($0) }])
  }
}
