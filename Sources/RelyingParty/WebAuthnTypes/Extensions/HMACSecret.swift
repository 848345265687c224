// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The input of the extension `hmacGetSecret` (CTAP 2.3 §12). Browsers do not support it and offer `prf` instead.
package struct HMACSecretSalts: Hashable, Sendable {
  /// The first salt, 32 bytes.
  package let salt1: [UInt8]

  /// The second salt, 32 bytes, if any.
  package let salt2: [UInt8]?

  /// The length of a salt and of an output.
  package static let byteCount = 32

  /// Creates an input of one or two salts of 32 bytes.
  ///
  /// - Throws: `client-extensions.invalid-member` for any other length.
  package init(salt1: [UInt8], salt2: [UInt8]? = nil) throws(FormatError) {
    let members = try ExtensionMembers(Self.value(salt1, salt2), at: ExtensionName.hmacGetSecret)
    try self.init(members)
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    salt1 = try members.byteArray("salt1", count: Self.byteCount)
    salt2 = try members.byteArrayIfPresent("salt2", count: Self.byteCount)
  }

  /// The input as a JSON value.
  package var value: ExtensionValue { Self.value(salt1, salt2) }

  private static func value(_ salt1: [UInt8], _ salt2: [UInt8]?) -> ExtensionValue {
    .object(ofPresent: ["salt1": .base64URL(salt1), "salt2": salt2.map { .base64URL($0) }])
  }
}

/// The output of the extension `hmacGetSecret` (CTAP 2.3 §12). The values are secrets and do not appear in
/// descriptions.
package struct HMACSecretOutputs: Hashable, Sendable {
  /// The output for the first salt, 32 bytes.
  package let output1: [UInt8]

  /// The output for the second salt, 32 bytes, if there was one.
  package let output2: [UInt8]?

  /// Creates an output of one or two values of 32 bytes.
  ///
  /// - Throws: `client-extensions.invalid-member` for any other length.
  package init(output1: [UInt8], output2: [UInt8]? = nil) throws(FormatError) {
    let members = try ExtensionMembers(Self.value(output1, output2), at: ExtensionName.hmacGetSecret)
    try self.init(members)
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    output1 = try members.byteArray("output1", count: HMACSecretSalts.byteCount)
    output2 = try members.byteArrayIfPresent("output2", count: HMACSecretSalts.byteCount)
  }

  /// The output as a JSON value.
  package var value: ExtensionValue { Self.value(output1, output2) }

  private static func value(_ output1: [UInt8], _ output2: [UInt8]?) -> ExtensionValue {
    .object(ofPresent: ["output1": .base64URL(output1), "output2": output2.map { .base64URL($0) }])
  }
}

extension HMACSecretOutputs: CustomStringConvertible, CustomReflectable {
  /// The number of values, without the values.
  package var description: String { output2 == nil ? "one value" : "two values" }

  /// An empty mirror, so that `dump` does not reveal the secrets.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
