// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// A role that grants rights beyond the account's own data. The set is open; the service itself defines one role.
public struct Role: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates a role from its name, whether or not the service knows it.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Administers accounts: approves, disables, invites, recovers, and assigns roles.
  public static let administrator = Self(rawValue: "admin")

  // 32 bytes [an identifier, not prose]; 16 roles [enough for one person]
  static let maximumByteCount = 32
  static let maximumCount = 16

  /// Returns the roles as a set. Throws ``ServiceError/Code/roleInvalid`` if there are too many, or if a name has other
  /// characters than lower-case letters, digits and hyphens.
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
