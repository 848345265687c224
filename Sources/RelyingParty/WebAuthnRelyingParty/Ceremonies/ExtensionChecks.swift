// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The verification of extension outputs: whether they were requested, and whether they are well formed. The standard
/// lets a relying party ignore or refuse outputs that it did not request.
///
/// Authenticator outputs are signed and must be well formed. Client outputs are not signed: the result reports a
/// malformed one and the ceremony succeeds, unless the output affects acceptance (`appid`, `payment`).
struct ExtensionChecks {
  private let terms: CeremonyTerms
  private let ceremony: Ceremony
  private let steps: StepRecorder

  /// The ceremony, which determines the step number and the codes.
  enum Ceremony {
    case registration
    case authentication

    /// The number of the step that verifies extension outputs.
    var step: Int {
      switch self {
      case .registration: 28
      case .authentication: 23
      }
    }

    var notRequested: CeremonyError.Code {
      switch self {
      case .registration: .registrationExtensionNotRequested
      case .authentication: .authenticationExtensionNotRequested
      }
    }

    var malformed: CeremonyError.Code {
      switch self {
      case .registration: .registrationExtensionMalformed
      case .authentication: .authenticationExtensionMalformed
      }
    }
  }

  init(_ ceremony: Ceremony, _ terms: CeremonyTerms, _ steps: StepRecorder) {
    self.ceremony = ceremony
    self.terms = terms
    self.steps = steps
  }

  private var requestedExtensions: RequestedExtensions { terms.requestedExtensions }

  func check(
    _ response: RegistrationResponse, _ clientData: ClientData, _ authenticator: CBORMap?
  ) throws(CeremonyError) -> VerifiedRegistration.Extensions? {
    try checkUnrequested(response.clientExtensionResults, authenticator)
    guard !requestedExtensions.isEmpty else { return nil }
    let outputs: (client: RegistrationClientOutputs, authenticator: RegistrationAuthenticatorOutputs)
    var malformedOutputs: [String: FormatError] = [:]
    do throws(FormatError) {
      outputs = (
        try RegistrationClientOutputs(
          requested(of: response.clientExtensionResults), malformed: &malformedOutputs),
        try authenticator.map { (map) throws(FormatError) in
          try RegistrationAuthenticatorOutputs(map, where: requestedExtensions.includes(ofAuthenticator:))
        } ?? RegistrationAuthenticatorOutputs()
      )
    } catch {
      throw malformed(.format(error))
    }
    pass(outputs.client, outputs.authenticator, malformedOutputs)
    try requireProtection(outputs.authenticator)
    return VerifiedRegistration.Extensions(
      fromClient: outputs.client, malformedClientOutputs: malformedOutputs, fromAuthenticator: outputs.authenticator,
      browserBoundPublicKey: try provenKey(
        outputs.client.payment, response.clientDataJSON, try registeredKey(clientData)))
  }

  func check(
    _ response: AuthenticationResponse, _ authenticator: CBORMap?, _ payment: ClientPaymentData?
  ) throws(CeremonyError) -> VerifiedAuthentication.Extensions? {
    try checkUnrequested(response.clientExtensionResults, authenticator)
    guard !requestedExtensions.isEmpty else { return nil }
    var outputs: (client: AuthenticationClientOutputs, authenticator: AuthenticationAuthenticatorOutputs)
    var malformedOutputs: [String: FormatError] = [:]
    do throws(FormatError) {
      outputs = (
        try AuthenticationClientOutputs(
          requested(of: response.clientExtensionResults), malformed: &malformedOutputs),
        try authenticator.map { (map) throws(FormatError) in
          try AuthenticationAuthenticatorOutputs(map, where: requestedExtensions.includes(ofAuthenticator:))
        } ?? AuthenticationAuthenticatorOutputs()
      )
    } catch {
      throw malformed(.format(error))
    }
    outputs.client.largeBlob = try checkLargeBlob(outputs.client.largeBlob, &malformedOutputs)
    pass(outputs.client, outputs.authenticator, malformedOutputs)
    return VerifiedAuthentication.Extensions(
      fromClient: outputs.client, malformedClientOutputs: malformedOutputs, fromAuthenticator: outputs.authenticator,
      browserBoundPublicKey: try provenKey(
        outputs.client.payment, response.clientDataJSON, payment?.browserBoundPublicKey))
  }
}

// MARK: What was not asked for

extension ExtensionChecks {
  private func checkUnrequested(
    _ client: ClientExtensions, _ authenticator: CBORMap?
  ) throws(CeremonyError) {
    guard terms.refusals.contains(.unrequestedExtensions) else {
      return steps.note(ceremony.step, "ignored outputs of extensions that were not requested")
    }
    let unrequested =
      client.values.keys.filter { !requestedExtensions.names.contains($0) }
      + (authenticator?.map { Self.name(of: $0.key) } ?? [])
      .filter { !requestedExtensions.includes(ofAuthenticator: $0) }
    try requireRequested(unrequested)
  }

  private func requireRequested(_ unrequested: [String]) throws(CeremonyError) {
    try steps.require(
      unrequested.isEmpty, ceremony.step, ceremony.notRequested, "all extensions were requested",
      .init(
        requestedExtensions.names.sorted().joined(separator: ", "),
        unrequested.sorted().joined(separator: ", ")))
  }

  /// Returns the extension's name. A key that is not text names no extension; its diagnostic notation is returned.
  private static func name(of key: CBORValue) -> String {
    (try? key.text) ?? CBORDiagnostic.text(of: key)
  }
}

// MARK: What was asked for

extension ExtensionChecks {
  private func requested(of outputs: ClientExtensions) -> ClientExtensions {
    ClientExtensions(outputs.values.filter { requestedExtensions.names.contains($0.key) })
  }

  private func pass(
    _ client: some CustomStringConvertible, _ authenticator: some CustomStringConvertible,
    _ malformed: [String: FormatError]
  ) {
    for (name, error) in malformed.sorted(by: { $0.key < $1.key }) {
      steps.note(ceremony.step, "the client's output of \(name) is malformed, and reported: \(error)")
    }
    steps.pass(
      ceremony.step,
      "\(malformed.isEmpty ? "the" : "the other") outputs are well formed: the client says \(client), the authenticator "
        + "\(authenticator)")
  }

  private func malformed(_ cause: CeremonyError.Cause?) -> CeremonyError {
    steps.fail(ceremony.step, ceremony.malformed, "the outputs of the extensions are well formed", cause)
  }

  /// CTAP 2.3 §12, credProtect: with an enforced policy, no credential is better than a weaker one. The weakest policy
  /// is the default of authenticators without the extension, so its output may be absent.
  private func requireProtection(_ outputs: RegistrationAuthenticatorOutputs) throws(CeremonyError) {
    guard let least = requestedExtensions.enforcedProtection else { return }
    let found = outputs.credProtect ?? .userVerificationOptional
    try steps.require(
      found >= least, ceremony.step, .registrationProtectionInsufficient, "the credential is protected as required",
      .init("at least \(least)", outputs.credProtect.map { "\($0)" } ?? "nothing"))
  }

  /// §10.1.5: a read request returns the blob, and a write request returns whether it was written.
  private func checkLargeBlob(
    _ outputs: LargeBlobOutputs?, _ malformed: inout [String: FormatError]
  ) throws(CeremonyError) -> LargeBlobOutputs? {
    guard let outputs else { return nil }
    let use = requestedExtensions.largeBlob
    if terms.refusals.contains(.unrequestedExtensions) {
      try requireRequested(
        [
          outputs.isSupported.map { _ in "largeBlob.supported" },
          use == .read ? nil : outputs.blob.map { _ in "largeBlob.blob" },
          use == .write ? nil : outputs.isWritten.map { _ in "largeBlob.written" },
        ].compactMap { $0 })
    }
    guard use != .write || outputs.isWritten != nil else {
      malformed[ExtensionName.largeBlob] = FormatError(
        .clientExtensionsMissingMember, at: 0, member: "largeBlob.written")
      return nil
    }
    return LargeBlobOutputs(
      blob: use == .read ? outputs.blob : nil, isWritten: use == .write ? outputs.isWritten : nil)
  }
}

// MARK: The browser's own key

extension ExtensionChecks {
  private func registeredKey(_ clientData: ClientData) throws(CeremonyError) -> Bytes? {
    guard requestedExtensions.names.contains(ExtensionName.payment) else { return nil }
    do throws(FormatError) {
      return try ClientPaymentData.browserBoundPublicKey(in: clientData)
    } catch {
      throw malformed(.format(error))
    }
  }

  /// Secure Payment Confirmation, "Signing client data": returns the public key in the client data if the matching
  /// private key signed them, and nil without a signature.
  private func provenKey(
    _ outputs: PaymentOutputs?, _ clientDataJSON: Bytes, _ publicKey: Bytes?
  ) throws(CeremonyError) -> [UInt8]? {
    guard let signature = outputs?.browserBoundSignature, let publicKey else { return nil }
    let key: COSEKey
    do throws(COSEError) {
      key = try COSEKey(parsing: publicKey)
    } catch {
      throw malformed(.key(error))
    }
    do throws(PasskeyCryptoError) {
      try key.verify(signature, over: clientDataJSON)
    } catch {
      throw malformed(.crypto(error))
    }
    steps.pass(ceremony.step, "the browser's own key has signed the client data")
    return [UInt8](publicKey)
  }
}
