// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// What an account may do besides using its own things. The set of them grows; the service itself knows one.
public struct Role: OpenString {
  /// The name.
  public let rawValue: String

  /// The role with this name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Looks after accounts: approves, disables, invites, recovers, and gives roles.
  public static let administrator = Self(rawValue: "admin")

  // 32 bytes [a name, and not a text]; 16 of them [what one person is]
  static let maximumByteCount = 32
  static let maximumCount = 16

  /// Takes names that can be roles: lower-case letters, digits and hyphens.
  static func roles(_ names: some Collection<Role>) throws(ServiceError) -> Set<Role> {
    let roles = Set(names)
    guard roles.count <= maximumCount, roles.allSatisfy(\.isWellFormed) else {
      throw ServiceError(.roleInvalid, "16 names of 32 letters, digits and hyphens at most")
    }
    return roles
  }

  private var isWellFormed: Bool {
    1...Self.maximumByteCount ~= rawValue.utf8.count
      && rawValue.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || byte == UInt8(ascii: "-")
      }
  }
}
