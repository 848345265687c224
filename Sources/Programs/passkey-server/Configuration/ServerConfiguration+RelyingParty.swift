// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyProfiles
internal import WebAuthnClient
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension ServerConfiguration {
  /// Returns the relying party of the settings. It also accepts `others`.
  static func relyingParty(
    _ settings: Settings, _ profile: ServiceProfile, at listen: ListeningAddress, isEncrypted: Bool,
    _ attestation: AttestationSettings, others: [WebOrigin]
  ) throws(CommandFailure) -> RelyingParty {
    let id = try settings.require(.relyingPartyID).relyingPartyID()
    var origins = try settings.map(.origins) { (choice) throws(CommandFailure) in
      try choice.origin(under: id, or: others)
    }
    if origins.isEmpty {
      // Without TLS, the default origin of localhost is the listening port, if it is known in advance.
      let isHere = id.isLocal && !isEncrypted && listen.port != 0
      let text = isHere ? "http://\(id.text)" + (listen.port == 80 ? "" : ":\(listen.port)") : "https://\(id.text)"
      origins = [try Settings.Choice(text: text, place: Setting.origins.option).origin()]
    }
    try requireRegistrableDomain(id, of: origins, settings)
    origins += others.filter { !origins.contains($0) }
    var policy = CeremonyPolicy(attestation: attestation.policy(nil, nil))
    policy.attestationConveyance = attestation.conveyance
    let algorithms = try settings.map(.algorithms) { (choice) throws(CommandFailure) in try choice.algorithm() }
    if !algorithms.isEmpty { policy.algorithms = algorithms }
    profile.apply(to: &policy)
    let topOrigins = try settings.map(.topOrigins) { (choice) throws(CommandFailure) in try choice.topOrigin() }
    if !topOrigins.isEmpty { policy.embedding = .allowed(topOrigins: topOrigins) }
    let name = try settings.given(.relyingPartyName)?.title() ?? (id.text == "raxx.app" ? "Raxx" : id.text)
    return try mapError(RelyingParty(id: id, name: name, origins: origins, policy: policy)) { (error: CeremonyError) in
      CommandFailure.usage("invalid relying party: \(error)", hint: "list the settings with passkey-server help serve")
    }
  }
}

extension ServerConfiguration {
  /// Throws if the RP ID is a public suffix that browsers refuse, because anyone can register domains below it. They allow
  /// it for a host that equals it (HTML, "is a registrable domain suffix of or is equal to"); a registry such as `com`
  /// has no such site.
  private static func requireRegistrableDomain(
    _ id: RelyingPartyID, of origins: [WebOrigin], _ settings: Settings
  ) throws(CommandFailure) {
    guard !id.isLocal, let suffixes = PublicSuffixList.system else { return }
    let isBelow = origins.contains { (origin) in
      if case .web(_, let host, _) = origin.kind { host.hasSuffix(".\(id.text)") } else { false }
    }
    guard isBelow ? suffixes.isPublicSuffix(id.text) : suffixes.isRegistry(id.text) else { return }
    throw try settings.require(.relyingPartyID).refused(
      "browsers refuse a public suffix, below which anyone can register domains: use your own domain, such as raxx.app")
  }
}

extension Settings.Choice {
  /// Returns an algorithm for new passkeys.
  fileprivate func algorithm() throws(CommandFailure) -> COSEAlgorithm {
    let offered = supportedAlgorithms.filter { (algorithm) in algorithm != .rs1 }
    guard let algorithm = offered.first(where: { $0.description.lowercased() == text.lowercased() }) else {
      throw refused("it can be \(offered.map(\.description).joined(separator: ", "))")
    }
    return algorithm
  }
}
