// SPDX-License-Identifier: Apache-2.0

/// What options ask for, by type: for whoever answers them. Nil where an extension was not asked for.
extension ClientExtensions {
  /// The AppID of credentials from the days of U2F, for a sign-in.
  public var appIDInput: String? {
    get throws(FormatError) { try ExtensionMembers(self).textIfPresent(ExtensionName.appID) }
  }

  /// The AppID of credentials from the days of U2F that are excluded, for a registration.
  public var appIDExcludeInput: String? {
    get throws(FormatError) { try ExtensionMembers(self).textIfPresent(ExtensionName.appIDExclude) }
  }

  /// What `prf` is asked.
  public var prfInputs: PRFInputs? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.prf) else { return nil }
      return try PRFInputs(members)
    }
  }

  /// What `largeBlob` is asked.
  public var largeBlobInputs: LargeBlobInputs? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.largeBlob) else { return nil }
      return try LargeBlobInputs(members)
    }
  }

  /// How a new credential is to be protected.
  public var credentialProtectionInputs: CredentialProtectionInputs? {
    get throws(FormatError) {
      let members = ExtensionMembers(self)
      let isEnforced = try members.boolIfPresent(ExtensionName.enforceCredentialProtectionPolicy) ?? false
      guard let name = try members.textIfPresent(ExtensionName.credentialProtectionPolicy) else { return nil }
      guard let policy = CredentialProtectionPolicy(name: name) else {
        throw members.invalid(ExtensionName.credentialProtectionPolicy)
      }
      return CredentialProtectionInputs(policy: policy, isEnforced: isEnforced)
    }
  }

  /// The small blob that a new credential is to carry.
  public var credBlobInput: [UInt8]? {
    get throws(FormatError) { try ExtensionMembers(self).bytesIfPresent(ExtensionName.credBlob) }
  }

  /// What `hmacGetSecret` is asked.
  public var hmacSecretSalts: HMACSecretSalts? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.hmacGetSecret) else { return nil }
      return try HMACSecretSalts(members)
    }
  }

  /// What `payment` is asked.
  public var paymentInputs: PaymentInputs? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.payment) else { return nil }
      return try PaymentInputs(members)
    }
  }

  /// Whether an extension that takes no more than `true` is asked for: `credProps`, `getCredBlob`, `minPinLength`,
  /// `pinComplexityPolicy`, `hmacCreateSecret`, `uvm`.
  public func asks(for name: String) throws(FormatError) -> Bool {
    try ExtensionMembers(self).boolIfPresent(name) ?? false
  }
}
