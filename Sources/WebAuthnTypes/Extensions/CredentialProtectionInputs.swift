// SPDX-License-Identifier: Apache-2.0

/// How a new credential is to be protected (CTAP 2.3 §12).
public struct CredentialProtectionInputs: Hashable, Sendable {
  /// What the authenticator shall demand.
  public var policy: CredentialProtectionPolicy

  /// Whether it is better to have no credential than one that is protected less.
  public var isEnforced: Bool

  /// Takes what is asked.
  public init(policy: CredentialProtectionPolicy, isEnforced: Bool) {
    self.policy = policy
    self.isEnforced = isEnforced
  }
}
