// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

/// The settings of attestation: what is requested, whose word counts, and which models may register.
struct AttestationSettings: Sendable {
  let conveyance: AttestationConveyancePreference
  let metadata: MetadataLocation?
  let signerPath: String?
  let models: AttestationPolicy.ModelRequirements
  let statusListPath: String?
  let androidKeyPath: AndroidKeyPath

  /// Warnings about statuses that no known metadata have.
  let warnings: [String]

  init(_ settings: Settings, database: DatabaseLocation, secretPath: String) throws(CommandFailure) {
    let kind = try settings.require(.attestation).choice(of: AttestationChoice.self)
    conveyance = AttestationConveyancePreference(rawValue: kind.rawValue)
    metadata = try settings.choice(.metadata).map { (choice) throws(CommandFailure) in
      try MetadataLocation(choice, beside: database, secretPath)
    }
    signerPath = settings.choice(.metadataRoot)?.text
    statusListPath = settings.choice(.statusList)?.text
    androidKeyPath =
      switch try settings.require(.androidChains).choice(of: AndroidChainsChoice.self) {
      case .google: .asGoogleVerifies
      case .strict: .requiringValidDatesAndMarkedAuthorities
      }
    var models = AttestationPolicy.ModelRequirements()
    let allowed = try settings.map(.allowedModels) { (choice) throws(CommandFailure) in try choice.aaguid() }
    if !allowed.isEmpty { models.allowed = Set(allowed) }
    models.denied = Set(try settings.map(.deniedModels) { (choice) throws(CommandFailure) in try choice.aaguid() })
    models.statuses = Set(
      try settings.map(.requiredStatuses) { (choice) throws(CommandFailure) in try choice.authenticatorStatus() })
    self.models = models
    warnings = models.statuses.map(\.rawValue).sorted().filter { !Self.knownStatuses.contains($0) }.map {
      "\(Setting.requiredStatuses.option) \($0) is not a known status: no model may have it"
    }
    try requireConsistency(settings)
  }

  /// Throws if a setting has no effect without another.
  private func requireConsistency(_ settings: Settings) throws(CommandFailure) {
    var needsAttestation = [Setting.allowedModels, .requiredStatuses, .statusList]
    if androidKeyPath != .asGoogleVerifies { needsAttestation.append(.androidChains) }
    if conveyance == .none, let choice = needsAttestation.lazy.compactMap({ settings.choice($0) }).first {
      throw .usage("\(choice.place) needs attestation", hint: "request it with \(Setting.attestation.option) direct")
    }
    guard metadata == nil else { return }
    if let choice = [Setting.requiredStatuses, .metadataRoot].lazy.compactMap({ settings.choice($0) }).first {
      throw .usage("\(choice.place) needs metadata", hint: "name them with \(Setting.metadata.option)")
    }
  }

  /// Returns the policy with these metadata and lists. Vendors' published roots count for models without metadata.
  func policy(_ metadata: MetadataBlob?, _ statusList: AttestationStatusList?) -> AttestationPolicy {
    var policy = AttestationPolicy()
    let roots = conveyance == .none ? [:] : PublishedRoot.anchors(of: [.apple, .google, .microsoft])
    policy.trustAnchors = TrustAnchors(metadata: metadata, byFormat: roots)
    policy.models = models
    policy.androidKeyPath = androidKeyPath
    policy.statusLists = statusList.map { [$0] } ?? []
    return policy
  }

  /// Reads the signer of the metadata.
  func signer() throws(CommandFailure) -> MetadataSigner {
    guard let signerPath else { return .fidoAlliance }
    return MetadataSigner(anchors: try CertificateFile.certificates(in: signerPath), hostName: nil)
  }

  /// Reads the status list; nil if none is named.
  func statusList() throws(CommandFailure) -> AttestationStatusList? {
    guard let statusListPath else { return nil }
    let text = try InputFile.bytes(statusListPath, limit: AttestationStatusList.maximumByteCount)
    return try mapError(AttestationStatusList(json: text)) { (error: AttestationError) in
      CommandFailure.inputOutput(
        "\(statusListPath.quotedForTerminal) is not a status list: \(error.description.escapedForTerminal)",
        hint: "download it from https://android.googleapis.com/attestation/status")
    }
  }

  /// The statuses of FIDO Metadata Service 3.0 §3.1.4 that describe a model as acceptable.
  private static let knownStatuses: Set<String> = [
    "NOT_FIDO_CERTIFIED", "FIDO_CERTIFIED", "SELF_ASSERTION_SUBMITTED", "FIDO_CERTIFIED_L1", "FIDO_CERTIFIED_L1plus",
    "FIDO_CERTIFIED_L2", "FIDO_CERTIFIED_L2plus", "FIDO_CERTIFIED_L3", "FIDO_CERTIFIED_L3plus",
    "FIPS140_CERTIFIED_L1", "FIPS140_CERTIFIED_L2", "FIPS140_CERTIFIED_L3", "FIPS140_CERTIFIED_L4",
  ]
}

private enum AttestationChoice: String, CaseIterable {
  case none, indirect, direct, enterprise
}

private enum AndroidChainsChoice: String, CaseIterable {
  case google, strict
}

/// Where the metadata come from.
enum MetadataLocation: Hashable, Sendable, CustomStringConvertible {
  /// A file that an operator replaces.
  case file(String)
  /// A URL, and the file with the BLOB that was fetched last.
  case url(String, cache: String)

  init(_ choice: Settings.Choice, beside database: DatabaseLocation, _ secretPath: String) throws(CommandFailure) {
    let text = choice.text
    guard !text.isEmpty else { throw choice.refused("use a file or a URL") }
    guard text.contains("://") else {
      self = .file(text)
      return
    }
    // The BLOB is signed, so a copy on this machine needs no TLS.
    let isHere = ["http://localhost", "http://127.0.0.1", "http://[::1]"].contains { (prefix) in
      text.hasPrefix(prefix) && [nil, ":", "/"].contains(text.dropFirst(prefix.count).first)
    }
    let authority = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
    // "localhost:80@example.org" names the host example.org.
    guard !authority.contains("@"), text.hasPrefix("https://") || isHere else {
      throw choice.refused("use a file, or a URL with https")
    }
    let neighbor = if case .file(let path) = database { path } else { secretPath }
    self = .url(text, cache: neighbor + ".metadata")
  }

  var description: String {
    switch self {
    case .file(let path): path.escapedForTerminal
    case .url(let url, _): url.escapedForTerminal
    }
  }
}

extension Settings.Choice {
  fileprivate func aaguid() throws(CommandFailure) -> AAGUID {
    guard let aaguid = AAGUID(uuid: text) else {
      throw refused("use an AAGUID such as cb69481e-8ff7-4039-93ec-0a2729a154a8")
    }
    return aaguid
  }

  fileprivate func authenticatorStatus() throws(CommandFailure) -> AuthenticatorStatus {
    guard !text.isEmpty,
      text.utf8.allSatisfy({
        $0 == UInt8(ascii: "_") || Character(Unicode.Scalar($0)).isLetter
          || Character(Unicode.Scalar($0)).isNumber
      })
    else { throw refused("use a status such as FIDO_CERTIFIED_L1") }
    return AuthenticatorStatus(rawValue: text)
  }
}
