// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

// Refuses inputs that every client rejects, before the user is asked to touch an authenticator (WebAuthn §10.1).

extension RelyingParty {
  /// Converts the requested registration extensions to client inputs, and refuses inputs that clients reject.
  func extensions(
    _ asked: [RegistrationExtension], _ userVerification: UserVerificationRequirement,
    _ attachment: AuthenticatorAttachment?
  ) throws(CeremonyError) -> ClientExtensions {
    guard !asked.isEmpty else { return [:] }
    let extensions = ClientExtensions(asked)
    let faults: [(Bool, String)]
    do throws(FormatError) {
      _ = try (extensions.credentialProtectionInputs, extensions.credBlobInput, extensions.hmacSecretSalts)
      let isForPayments = try extensions.paymentInputs != nil
      faults = [
        (try extensions.prfInputs?.byCredential.isEmpty == false, "prf for a credential that does not exist yet"),
        (try extensions.largeBlobInputs?.access != nil, "a large blob of a credential that does not exist yet"),
        // Secure Payment Confirmation: the client throws in these cases.
        (isForPayments && userVerification != .required, "payments without user verification"),
        (isForPayments && attachment == .crossPlatform, "payments without a platform authenticator"),
        (isForPayments && policy.residentKey == .discouraged, "payments without a discoverable credential"),
      ]
    } catch {
      throw CeremonyError(.configurationInvalid, cause: .format(error))
    }
    try Self.refuse(faults)
    return extensions
  }

  /// Converts the requested authentication extensions to client inputs, and refuses inputs that clients reject.
  func extensions(
    _ asked: [AuthenticationExtension], of user: UserIdentification
  ) throws(CeremonyError) -> ClientExtensions {
    guard !asked.isEmpty else { return [:] }
    let extensions = ClientExtensions(asked)
    let named = Set(user.descriptors.map(\.id))
    let faults: [(Bool, String)]
    do throws(FormatError) {
      _ = try (extensions.hmacSecretSalts, extensions.appIDInput)
      let largeBlob = try extensions.largeBlobInputs
      let isWriting = if case .write? = largeBlob?.access { true } else { false }
      faults = [
        (
          try extensions.prfInputs?.byCredential.keys.contains { !named.contains($0) } == true,
          "prf for a credential that is not named"
        ),
        (largeBlob?.support != nil, "large-blob support of an existing credential"),
        (isWriting && user.descriptors.count != 1, "a large blob to write, without exactly one credential"),
        (extensions[ExtensionName.payment] != nil, "payment, which only a browser adds"),
      ]
    } catch {
      throw CeremonyError(.configurationInvalid, cause: .format(error))
    }
    try Self.refuse(faults)
    return extensions
  }

  /// Verifies that a client accepts this payment with these credentials and extensions.
  func check(
    _ payment: PaymentTransaction, of user: UserIdentification, _ asked: [AuthenticationExtension]
  ) throws(CeremonyError) {
    try Self.refuse([
      (user.descriptors.isEmpty, "a payment without a named credential"),
      (!payment.caller.isSecure || !payment.topOrigin.isSecure, "a payment on a page that is not https"),
      (payment.payee.origin.map { !$0.text.hasPrefix("https://") } ?? false, "a payee's origin that is not https"),
      (payment.payee.name?.isEmpty == true, "a payee without a name"),
      (payment.instrument.displayName.isEmpty, "an instrument without a name"),
      (payment.instrument.icon.isEmpty, "an instrument without a picture"),
      (payment.logos.contains { $0.url.isEmpty || $0.label.isEmpty }, "a logo without a picture or a name"),
      (!asked.isEmpty && !origins.contains(payment.caller), "extensions on another party's page"),
    ])
  }

  private static func refuse(_ faults: [(isThere: Bool, name: String)]) throws(CeremonyError) {
    guard let fault = faults.first(where: \.isThere) else { return }
    throw CeremonyError(.configurationInvalid, .init("the behavior of a client", fault.name))
  }
}
