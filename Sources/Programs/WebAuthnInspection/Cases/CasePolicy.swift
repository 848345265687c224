// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The member `policy` of a case: the settings of its relying party that differ from the defaults.
package struct CasePolicy: Sendable {
  package var uninitializedUserVerification: Signal?
  package var signCount: Signal?
  package var backupEligibilityChange: Signal?
  package var unrequestedExtensions: UnrequestedExtensions?
  package var attestationTrust: [Trust]?
  package var attestationFormats: [String]?
  package var legacyHash: LegacyHash?
  package var androidKeyAuthorizations: AndroidKeyAuthorizations?
  package var androidKeyPath: AndroidKeyPath?
  package var androidVerifiedBoot: [VerifiedBoot]?

  /// The oldest acceptable OS patch level: year and month, such as 202405.
  package var androidOSPatchLevel: UInt64?
  package var compound: Compound?
  package var revocation: Revocation?
  package var leafDates: LeafDates?
  package var models: CaseModels?
  package var maximumCredentialIDLength: Int?

  package init() {}

  package enum Signal: String, Sendable {
    case report
    case refuse
  }

  package enum UnrequestedExtensions: String, Sendable {
    case ignored
    case refused
  }

  /// A degree of trust in an attestation. The policy lists the acceptable ones.
  package enum Trust: String, Sendable {
    case none
    case `self`
    case unanchored
    case anchored
  }

  package enum LegacyHash: String, Sendable {
    case inTPMStatements = "in-tpm-statements"
    case inNoFormat = "nowhere"
  }

  package enum AndroidKeyAuthorizations: String, Sendable {
    case softwareOrTrustedEnvironment = "software-or-trusted-environment"
    case trustedEnvironmentOnly = "trusted-environment-only"
  }

  package enum AndroidKeyPath: String, Sendable {
    case asGoogleVerifies = "as-google-verifies"
    case requiringValidDatesAndMarkedAuthorities = "requiring-valid-dates-and-marked-authorities"
  }

  /// A result of verified boot. The policy lists the acceptable ones.
  package enum VerifiedBoot: String, Sendable {
    case verified
    case selfSigned = "self-signed"
    case unverified
    case failed
  }

  package enum Compound: String, Sendable {
    case all
    case any
  }

  package enum Revocation: String, Sendable {
    case ifListed = "where-listed"
    case required
  }

  package enum LeafDates: String, Sendable {
    case judged
    case expiryIgnored = "expiry-ignored"
  }
}

// MARK: As JSON

extension CasePolicy {
  /// An unknown setting is an error, because judging the case without it would prove nothing.
  init(_ value: JSONValue) throws(WireError) {
    uninitializedUserVerification = try value.choice("uninitializedUserVerification")
    signCount = try value.choice("signCount")
    backupEligibilityChange = try value.choice("backupEligibilityChange")
    unrequestedExtensions = try value.choice("unrequestedExtensions")
    attestationTrust = try value["attestationTrust"]?.elements { (item) throws(WireError) in try item.choice() }
    attestationFormats = try value["attestationFormats"]?.elements { (item) throws(WireError) in try item.string }
    legacyHash = try value.choice("legacyHash")
    androidKeyAuthorizations = try value.choice("androidKeyAuthorizations")
    androidKeyPath = try value.choice("androidKeyPath")
    androidVerifiedBoot = try value["androidVerifiedBoot"]?.elements { (item) throws(WireError) in try item.choice() }
    androidOSPatchLevel = try value["androidOSPatchLevel"]?.patchLevel
    compound = try value.choice("compound")
    revocation = try value.choice("revocation")
    leafDates = try value.choice("leafDates")
    models = try value["models"].map { (models) throws(WireError) in try CaseModels(models) }
    maximumCredentialIDLength = try value["maximumCredentialIDLength"]?.integer()
  }

  /// The members that are set.
  package var json: [JSONDraft.Member] {
    let texts: [(String, String?)] = [
      ("uninitializedUserVerification", uninitializedUserVerification?.rawValue), ("signCount", signCount?.rawValue),
      ("backupEligibilityChange", backupEligibilityChange?.rawValue),
      ("unrequestedExtensions", unrequestedExtensions?.rawValue), ("legacyHash", legacyHash?.rawValue),
      ("androidKeyAuthorizations", androidKeyAuthorizations?.rawValue),
      ("androidKeyPath", androidKeyPath?.rawValue), ("compound", compound?.rawValue),
      ("revocation", revocation?.rawValue), ("leafDates", leafDates?.rawValue),
    ]
    let lists: [(String, [String]?)] = [
      ("attestationTrust", attestationTrust?.map(\.rawValue)), ("attestationFormats", attestationFormats),
      ("androidVerifiedBoot", androidVerifiedBoot?.map(\.rawValue)),
    ]
    let numbers: [(String, Int?)] = [
      ("androidOSPatchLevel", androidOSPatchLevel.flatMap { Int(exactly: $0) }),
      ("maximumCredentialIDLength", maximumCredentialIDLength),
    ]
    let models = models.map { JSONDraft.Member(name: "models", value: .object($0.json)) }
    return texts.compactMap { (name, text) in text.map { .init(name: name, value: .string($0)) } }
      + lists.compactMap { (name, list) in list.map { .init(name: name, value: .array($0.map { .string($0) })) } }
      + [models].compactMap(\.self)
      + numbers.compactMap { (name, number) in number.map { .init(name: name, value: .integer($0)) } }
  }
}

extension JSONValue {
  fileprivate func choice<Choice: RawRepresentable<String>>(_ name: String) throws(WireError) -> Choice? {
    try self[name]?.choice()
  }

  fileprivate var patchLevel: UInt64 {
    get throws(WireError) {
      let number = try uint64
      guard KeyDescription.PatchLevel(number) != nil else { throw WireError(.jsonWrongType, at: offset) }
      return number
    }
  }

  fileprivate func choice<Choice: RawRepresentable<String>>() throws(WireError) -> Choice {
    guard let choice = Choice(rawValue: try string) else { throw WireError(.jsonWrongType, at: offset) }
    return choice
  }
}

// MARK: As a relying party's policy

extension CasePolicy {
  func apply(to policy: inout CeremonyPolicy) {
    if let uninitializedUserVerification {
      policy.uninitializedUserVerification = uninitializedUserVerification.response
    }
    if let signCount { policy.signCount = signCount.response }
    if let backupEligibilityChange { policy.backupEligibilityChange = backupEligibilityChange.response }
    switch unrequestedExtensions {
    case .ignored?: policy.unrequestedExtensions = .ignored
    case .refused?: policy.unrequestedExtensions = .refused
    case nil: break
    }
    if let maximumCredentialIDLength { policy.maximumCredentialIDByteCount = maximumCredentialIDLength }
    apply(to: &policy.attestation)
  }

  private func apply(to policy: inout AttestationPolicy) {
    if let attestationTrust {
      policy.acceptableTrust = attestationTrust.reduce(into: []) { $0.formUnion($1.acceptable) }
    }
    if let attestationFormats {
      policy.acceptableFormats = Set(attestationFormats.map { AttestationFormat(rawValue: $0) })
    }
    if let legacyHash { policy.legacyHash = legacyHash == .inNoFormat ? .inNoFormat : .inTPMStatements }
    if let androidKeyAuthorizations {
      policy.androidKeyAuthorizations =
        androidKeyAuthorizations == .trustedEnvironmentOnly ? .trustedEnvironmentOnly : .softwareOrTrustedEnvironment
    }
    if let androidKeyPath {
      policy.androidKeyPath =
        androidKeyPath == .asGoogleVerifies ? .asGoogleVerifies : .requiringValidDatesAndMarkedAuthorities
    }
    if let androidVerifiedBoot {
      policy.androidKeyRequirements.verifiedBootStates = Set(androidVerifiedBoot.map(\.state))
    }
    if let androidOSPatchLevel {
      policy.androidKeyRequirements.minimumOSPatchLevel = KeyDescription.PatchLevel(androidOSPatchLevel)
    }
    if let compound { policy.compound = compound == .any ? .any : .all }
    if let leafDates { policy.path.leafDates = leafDates == .expiryIgnored ? .expiryIgnored : .checked }
    models?.apply(to: &policy.models)
    if let revocation { policy.path.revocation = revocation == .required ? .required : .ifListed }
  }
}

extension CasePolicy.Signal {
  fileprivate var response: CeremonyPolicy.SignalResponse {
    switch self {
    case .report: .report
    case .refuse: .refuse
    }
  }
}

extension CasePolicy.VerifiedBoot {
  fileprivate var state: KeyDescription.VerifiedBootState {
    switch self {
    case .verified: .verified
    case .selfSigned: .selfSigned
    case .unverified: .unverified
    case .failed: .failed
    }
  }
}

extension CasePolicy.Trust {
  fileprivate var acceptable: AcceptableTrust {
    switch self {
    case .none: .noAttestation
    case .self: .selfAttestation
    case .unanchored: .unanchored
    case .anchored: .anchored
    }
  }
}

extension AttestationPolicy {
  /// Creates the policy for judging recorded responses.
  ///
  /// - Parameters:
  ///   - anchors: Trust anchors for every format; nil where the caller has none.
  ///   - roots: Groups of built-in roots, which are anchors for their formats.
  ///   - metadata: Verified FIDO metadata.
  ///   - isTimeKnown: Whether the time of the ceremony is known. If not, the age of a SafetyNet response is not judged.
  ///
  /// Without anchors and roots every attestation is acceptable. With them, only no attestation, self attestation and
  /// anchored attestation are.
  package init(
    anchors: [X509Certificate]?, roots: Set<PublishedRoot.Group> = [], metadata: MetadataBlob? = nil, isTimeKnown: Bool
  ) {
    self.init()
    if !isTimeKnown { safetyNetTime = .ignored }
    guard anchors != nil || !roots.isEmpty else {
      trustAnchors = TrustAnchors(metadata: metadata)
      return
    }
    let byFormat = PublishedRoot.anchors(of: roots).mapValues { $0 + (anchors ?? []) }
    trustAnchors = TrustAnchors(
      metadata: metadata, byFormat: byFormat, forEverything: metadata == nil ? anchors ?? [] : anchors)
    acceptableTrust = [.noAttestation, .selfAttestation, .anchored]
  }
}
