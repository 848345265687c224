// SPDX-License-Identifier: Apache-2.0

/// What an authenticator demands before it uses a credential, from the extension `credProtect` (CTAP 2.3 §12). The
/// later ones demand more.
public enum CredentialProtectionPolicy: UInt8, CaseIterable, Comparable, Sendable {
  /// Nothing: whoever has the authenticator may use it.
  case userVerificationOptional = 1
  /// User verification, unless the credential is named.
  case userVerificationOptionalWithCredentialIDList = 2
  /// User verification, always.
  case userVerificationRequired = 3

  /// The policy that a relying party asks for by this name.
  public init?(name: String) {
    guard let policy = Self.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
    self = policy
  }

  /// The name by which a relying party asks.
  public var name: String {
    switch self {
    case .userVerificationOptional: "userVerificationOptional"
    case .userVerificationOptionalWithCredentialIDList: "userVerificationOptionalWithCredentialIDList"
    case .userVerificationRequired: "userVerificationRequired"
    }
  }

  /// Whether the left one demands less.
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension CredentialProtectionPolicy: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
