// SPDX-License-Identifier: Apache-2.0

extension RegistrationExtension {
  /// The conditions under which an authenticator uses a credential, from the extension `credProtect` (CTAP 2.3 §12), in
  /// ascending strictness.
  public enum CredentialProtection: UInt8, CaseIterable, Comparable, Sendable {
    /// User verification is not required.
    case userVerificationOptional = 1
    /// User verification is required unless the request lists the credential.
    case userVerificationOptionalWithCredentialIDList = 2
    /// User verification is always required.
    case userVerificationRequired = 3

    /// Creates a policy from the name that a relying party uses.
    package init?(name: String) {
      guard let policy = Self.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
      self = policy
    }

    /// The name that a relying party uses.
    package var name: String {
      switch self {
      case .userVerificationOptional: "userVerificationOptional"
      case .userVerificationOptionalWithCredentialIDList: "userVerificationOptionalWithCredentialIDList"
      case .userVerificationRequired: "userVerificationRequired"
      }
    }

    /// Whether the left policy is less strict.
    public static func < (left: Self, right: Self) -> Bool {
      left.rawValue < right.rawValue
    }
  }
}

extension RegistrationExtension.CredentialProtection: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// The requested protection of a new credential (CTAP 2.3 §12).
package struct CredentialProtectionInputs: Hashable, Sendable {
  /// The requested policy.
  package var policy: RegistrationExtension.CredentialProtection

  /// Whether creation must fail if the authenticator cannot apply the policy.
  package var isEnforced: Bool

  /// Creates inputs.
  package init(policy: RegistrationExtension.CredentialProtection, isEnforced: Bool) {
    self.policy = policy
    self.isEnforced = isEnforced
  }
}
