// SPDX-License-Identifier: Apache-2.0

extension TestBrowser {
  /// A named fault in the responses of a working device. A conforming server refuses it.
  ///
  /// A response is taken apart, made again with the fault, and signed again with the passkey's key, so that the fault is its
  /// only error. The attestation of a registration becomes `none`, because a device's attestation cannot be signed again.
  /// ``userNotVerified`` is an error only if the server requires user verification, and no step of the standard compares the
  /// identifiers of ``responseIDsDisagree``.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// The client data are not JSON.
    case clientDataNotJSON = "client-data-not-json"
    /// The type is webauthn.create.
    case typeOfRegistration = "type-of-registration"
    /// The type is webauthn.get.
    case typeOfAuthentication = "type-of-authentication"
    /// The type is unknown.
    case typeUnknown = "type-unknown"
    /// The challenge is that of another ceremony.
    case challengeOfAnotherCeremony = "challenge-of-another-ceremony"
    /// The last byte of the challenge is missing.
    case challengeCut = "challenge-cut"
    /// The client data have no challenge.
    case challengeMissing = "challenge-missing"
    /// The origin is that of another site.
    case originOfAnotherSite = "origin-of-another-site"
    /// The origin is http.
    case originWithoutEncryption = "origin-without-encryption"
    /// The origin is opaque.
    case originOpaque = "origin-opaque"
    /// The client data have no origin.
    case originMissing = "origin-missing"
    /// A page of another site embeds the page.
    case topOriginOfAnotherSite = "top-origin-of-another-site"
    /// The RP ID hash is that of another site.
    case relyingPartyOfAnotherSite = "relying-party-of-another-site"
    /// The flag UP is not set.
    case userNotPresent = "user-not-present"
    /// The flag UV is not set.
    case userNotVerified = "user-not-verified"
    /// The flag BS is set without BE.
    case backedUpWithoutEligibility = "backed-up-without-eligibility"
    /// The authenticator data are truncated.
    case authenticatorDataCut = "authenticator-data-cut"
    /// The authenticator data have no attested credential data.
    case credentialLeftOut = "credential-left-out"
    /// The key's algorithm is unknown.
    case keyOfUnknownAlgorithm = "key-of-unknown-algorithm"
    /// The point is not on its curve.
    case keyOffItsCurve = "key-off-its-curve"
    /// The format is unknown.
    case formatUnknown = "format-unknown"
    /// The attestation object is truncated.
    case attestationObjectCut = "attestation-object-cut"
    /// The signature was made with another key.
    case signedByAnotherKey = "signed-by-another-key"
    /// The signature was made in another ceremony.
    case signedInAnotherCeremony = "signed-in-another-ceremony"
    /// One bit of the signature is flipped.
    case signatureBitFlipped = "signature-bit-flipped"
    /// The signature is empty.
    case signatureEmpty = "signature-empty"
    /// The user handle is that of another user.
    case userHandleOfAnother = "user-handle-of-another"
    /// The response has another credential ID.
    case responseOfAnotherCredential = "response-of-another-credential"
    /// `id` and `rawId` differ.
    case responseIDsDisagree = "response-ids-disagree"
    /// The credential type is unknown.
    case responseOfUnknownType = "response-of-unknown-type"
    /// The response has no id.
    case responseIDMissing = "response-id-missing"
  }
}

extension TestBrowser.Fault {
  /// The faults in registrations, in the order of a server's checks.
  public static let ofRegistrations = allCases.filter(\.isInRegistrations)

  /// The faults in sign-ins, in the order of a server's checks.
  public static let ofSignIns = allCases.filter(\.isInSignIns)

  /// Whether the fault is in registrations. Other faults leave registrations as they are.
  package var isInRegistrations: Bool {
    switch self {
    case .typeOfRegistration, .signedByAnotherKey, .signedInAnotherCeremony, .signatureBitFlipped, .signatureEmpty,
      .userHandleOfAnother:
      false
    default: true
    }
  }

  /// Whether the fault is in sign-ins.
  package var isInSignIns: Bool {
    switch self {
    case .typeOfAuthentication, .credentialLeftOut, .keyOfUnknownAlgorithm, .keyOffItsCurve, .formatUnknown,
      .attestationObjectCut:
      false
    default: true
    }
  }

  /// The fault in English, a clause without a full stop.
  public var summary: String { change.name }

  /// The change of a ceremony that makes the fault.
  var change: PasskeyTesting.Fault {
    switch self {
    case .clientDataNotJSON: .clientDataNotJSON
    case .typeOfRegistration: .typeOfRegistration
    case .typeOfAuthentication: .typeOfAuthentication
    case .typeUnknown: .typeUnknown
    case .challengeOfAnotherCeremony: .challengeOfAnotherCeremony
    case .challengeCut: .challengeCut
    case .challengeMissing: .challengeMissing
    case .originOfAnotherSite: .originOfAnotherSite
    case .originWithoutEncryption: .originWithoutEncryption
    case .originOpaque: .originOpaque
    case .originMissing: .originMissing
    case .topOriginOfAnotherSite: .topOriginOfAnotherSite
    case .relyingPartyOfAnotherSite: .relyingPartyOfAnotherSite
    case .userNotPresent: .userNotPresent
    case .userNotVerified: .userNotVerified
    case .backedUpWithoutEligibility: .backedUpWithoutEligibility
    case .authenticatorDataCut: .authenticatorDataCut
    case .credentialLeftOut: .credentialLeftOut
    case .keyOfUnknownAlgorithm: .keyOfUnknownAlgorithm
    case .keyOffItsCurve: .keyOffItsCurve
    case .formatUnknown: .formatUnknown
    case .attestationObjectCut: .attestationObjectCut
    case .signedByAnotherKey: .signedByAnotherKey
    case .signedInAnotherCeremony: .signedInAnotherCeremony
    case .signatureBitFlipped: .signatureBitFlipped
    case .signatureEmpty: .signatureEmpty
    case .userHandleOfAnother: .userHandleOfAnother
    case .responseOfAnotherCredential: .responseOfAnotherCredential
    case .responseIDsDisagree: .responseIDsDisagree
    case .responseOfUnknownType: .responseOfUnknownType
    case .responseIDMissing: .responseIDMissing
    }
  }
}
