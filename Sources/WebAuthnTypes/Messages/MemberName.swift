// SPDX-License-Identifier: Apache-2.0

/// The name of a member, for coders.
struct MemberName: CodingKey {
  let stringValue: String

  /// Members have names only.
  var intValue: Int? { nil }

  init(_ name: String) {
    stringValue = name
  }

  init?(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}
