// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Typed extension inputs, for a client or an authenticator that answers them. An extension that was not requested is
/// nil.
extension ClientExtensions {
  /// The AppID whose U2F credentials a sign-in accepts.
  ///
  /// - Throws: `client-extensions.invalid-member`.
  package var appIDInput: String? {
    get throws(FormatError) { try ExtensionMembers(self).textIfPresent(ExtensionName.appID) }
  }

  /// The AppID whose U2F credentials a registration excludes.
  ///
  /// - Throws: `client-extensions.invalid-member`.
  package var appIDExcludeInput: String? {
    get throws(FormatError) { try ExtensionMembers(self).textIfPresent(ExtensionName.appIDExclude) }
  }

  /// The inputs of `prf`.
  ///
  /// - Throws: `client-extensions.missing-member` or `client-extensions.invalid-member`.
  package var prfInputs: PRFInputs? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.prf) else { return nil }
      return try PRFInputs(members)
    }
  }

  /// The inputs of `largeBlob`.
  ///
  /// - Throws: `client-extensions.missing-member` or `client-extensions.invalid-member`.
  package var largeBlobInputs: LargeBlobInputs? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.largeBlob) else { return nil }
      return try LargeBlobInputs(members)
    }
  }

  /// The requested protection of a new credential.
  ///
  /// - Throws: `client-extensions.invalid-member`.
  package var credentialProtectionInputs: CredentialProtectionInputs? {
    get throws(FormatError) {
      let members = ExtensionMembers(self)
      let isEnforced = try members.boolIfPresent(ExtensionName.enforceCredentialProtectionPolicy) ?? false
      guard let name = try members.textIfPresent(ExtensionName.credentialProtectionPolicy) else { return nil }
      guard let policy = RegistrationExtension.CredentialProtection(name: name) else {
        throw members.invalid(ExtensionName.credentialProtectionPolicy)
      }
      return CredentialProtectionInputs(policy: policy, isEnforced: isEnforced)
    }
  }

  /// The `credBlob` to store with a new credential.
  ///
  /// - Throws: `client-extensions.invalid-member`.
  package var credBlobInput: [UInt8]? {
    get throws(FormatError) { try ExtensionMembers(self).byteArrayIfPresent(ExtensionName.credBlob) }
  }

  /// The salts of `hmacGetSecret`.
  ///
  /// - Throws: `client-extensions.missing-member` or `client-extensions.invalid-member`.
  package var hmacSecretSalts: HMACSecretSalts? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.hmacGetSecret) else { return nil }
      return try HMACSecretSalts(members)
    }
  }

  /// The inputs of `payment`.
  ///
  /// - Throws: `client-extensions.missing-member` or `client-extensions.invalid-member`.
  package var paymentInputs: PaymentInputs? {
    get throws(FormatError) {
      guard let members = try ExtensionMembers(self).objectIfPresent(ExtensionName.payment) else { return nil }
      return try PaymentInputs(members)
    }
  }

  /// Those of ``ExtensionName/flags`` that are requested.
  ///
  /// - Throws: `client-extensions.invalid-member`.
  package var requestedFlags: [String] {
    get throws(FormatError) {
      var requested: [String] = []
      for name in ExtensionName.flags where try asks(for: name) { requested.append(name) }
      return requested
    }
  }

  /// Returns whether a Boolean extension is requested, such as `credProps`, `getCredBlob` or `hmacCreateSecret`.
  ///
  /// - Throws: `client-extensions.invalid-member` if the input is not a Boolean.
  package func asks(for name: String) throws(FormatError) -> Bool {
    try ExtensionMembers(self).boolIfPresent(name) ?? false
  }
}
