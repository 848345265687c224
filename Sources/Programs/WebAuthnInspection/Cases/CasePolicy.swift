// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAttestation
package import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The member `policy` of a case: the settings of its relying party that differ from the defaults.
package struct CasePolicy: Sendable {
  package var uninitializedUserVerification: CeremonyPolicy.SignalResponse?
  package var signCount: CeremonyPolicy.SignalResponse?
  package var backupEligibilityChange: CeremonyPolicy.SignalResponse?
  package var unrequestedExtensions: CeremonyPolicy.UnrequestedExtensions?
  package var legacyHash: AttestationPolicy.LegacyHash?
  package var androidKeyAuthorizations: AttestationPolicy.AndroidKeyAuthorizations?
  package var androidKeyPath: AndroidKeyPath?
  package var compound: AttestationPolicy.CompoundMembers?
  package var revocation: CertificatePathPolicy.Revocation?
  package var leafDates: CertificatePathPolicy.LeafDates?
  package var attestationTrust: [Trust]?
  package var attestationFormats: [String]?
  package var androidVerifiedBoot: [VerifiedBoot]?
  package var models: CaseModels?

  /// The oldest acceptable OS patch level: year and month, such as 202405.
  package var androidOSPatchLevel: UInt64?
  package var maximumCredentialIDLength: Int?

  package init() {}

  /// A degree of trust in an attestation. The policy lists the acceptable ones.
  package enum Trust: String, Sendable {
    case none
    case `self`
    case unanchored
    case anchored
  }

  /// A result of verified boot. The policy lists the acceptable ones.
  package enum VerifiedBoot: String, Sendable {
    case verified
    case selfSigned = "self-signed"
    case unverified
    case failed
  }
}

// MARK: The settings

/// A setting with a name: how it is read from JSON, written, and applied to a relying party's policy.
private struct CaseSetting: Sendable {
  let name: String
  let read: @Sendable (inout CasePolicy, JSONValue) throws(WireError) -> Void
  let json: @Sendable (CasePolicy) -> JSONDraft?
  let apply: @Sendable (CasePolicy, inout CeremonyPolicy) -> Void

  /// A setting with one of some values, which the policy has under the same names.
  static func choice<Value: RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ own: any WritableKeyPath<CasePolicy, Value?> & Sendable,
    _ policy: any WritableKeyPath<CeremonyPolicy, Value> & Sendable
  ) -> Self {
    Self(
      name: name,
      read: { (settings, value) throws(WireError) in settings[keyPath: own] = try value.choice() },
      json: { $0[keyPath: own].map { .string($0.rawValue) } },
      apply: { settings, result in
        if let value = settings[keyPath: own] { result[keyPath: policy] = value }
      })
  }

  // In the order in which cases have them.
  static let all: [Self] = [
    .choice(
      "uninitializedUserVerification", \.uninitializedUserVerification, \.uninitializedUserVerification),
    .choice("signCount", \.signCount, \.signCount),
    .choice("backupEligibilityChange", \.backupEligibilityChange, \.backupEligibilityChange),
    .choice("unrequestedExtensions", \.unrequestedExtensions, \.unrequestedExtensions),
    .choice("legacyHash", \.legacyHash, \.attestation.legacyHash),
    .choice("androidKeyAuthorizations", \.androidKeyAuthorizations, \.attestation.androidKeyAuthorizations),
    .choice("androidKeyPath", \.androidKeyPath, \.attestation.androidKeyPath),
    .choice("compound", \.compound, \.attestation.compound),
    .choice("revocation", \.revocation, \.attestation.path.revocation),
    .choice("leafDates", \.leafDates, \.attestation.path.leafDates),
    Self(
      name: "attestationTrust",
      read: { (settings, value) throws(WireError) in
        settings.attestationTrust = try value.elements { (item) throws(WireError) in try item.choice() }
      },
      json: { $0.attestationTrust.map { .array($0.map { .string($0.rawValue) }) } },
      apply: { settings, policy in
        guard let trust = settings.attestationTrust else { return }
        policy.attestation.acceptableTrust = trust.reduce(into: []) { $0.formUnion($1.acceptable) }
      }),
    Self(
      name: "attestationFormats",
      read: { (settings, value) throws(WireError) in
        settings.attestationFormats = try value.elements { (item) throws(WireError) in try item.string }
      },
      json: { $0.attestationFormats.map { .array($0.map { .string($0) }) } },
      apply: { settings, policy in
        guard let formats = settings.attestationFormats else { return }
        policy.attestation.acceptableFormats = Set(formats.map { AttestationFormat(rawValue: $0) })
      }),
    Self(
      name: "androidVerifiedBoot",
      read: { (settings, value) throws(WireError) in
        settings.androidVerifiedBoot = try value.elements { (item) throws(WireError) in try item.choice() }
      },
      json: { $0.androidVerifiedBoot.map { .array($0.map { .string($0.rawValue) }) } },
      apply: { settings, policy in
        guard let states = settings.androidVerifiedBoot else { return }
        policy.attestation.androidKeyRequirements.verifiedBootStates = Set(states.map(\.state))
      }),
    Self(
      name: "models",
      read: { (settings, value) throws(WireError) in settings.models = try CaseModels(value) },
      json: { $0.models.map { .object($0.json) } },
      apply: { settings, policy in settings.models?.apply(to: &policy.attestation.models) }),
    Self(
      name: "androidOSPatchLevel",
      read: { (settings, value) throws(WireError) in settings.androidOSPatchLevel = try value.patchLevel },
      json: { $0.androidOSPatchLevel.flatMap { Int(exactly: $0) }.map { .integer($0) } },
      apply: { settings, policy in
        guard let level = settings.androidOSPatchLevel else { return }
        policy.attestation.androidKeyRequirements.minimumOSPatchLevel = KeyDescription.PatchLevel(level)
      }),
    Self(
      name: "maximumCredentialIDLength",
      read: { (settings, value) throws(WireError) in settings.maximumCredentialIDLength = try value.integer() },
      json: { $0.maximumCredentialIDLength.map { .integer($0) } },
      apply: { settings, policy in
        if let length = settings.maximumCredentialIDLength { policy.maximumCredentialIDByteCount = length }
      }),
  ]
}

extension CasePolicy {
  /// An unknown setting or value is an error, because judging the case without it would prove nothing.
  init(_ value: JSONValue) throws(WireError) {
    for member in try value.members {
      guard let setting = CaseSetting.all.first(where: { $0.name == member.name }) else {
        throw WireError(.jsonWrongType, at: member.value.offset)
      }
      try setting.read(&self, member.value)
    }
  }

  /// The members that are set.
  package var json: [JSONDraft.Member] {
    CaseSetting.all.compactMap { (setting) in setting.json(self).map { .init(name: setting.name, value: $0) } }
  }

  func apply(to policy: inout CeremonyPolicy) {
    for setting in CaseSetting.all { setting.apply(self, &policy) }
  }
}

extension JSONValue {
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
  fileprivate var acceptable: AttestationPolicy.AcceptableTrust {
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
