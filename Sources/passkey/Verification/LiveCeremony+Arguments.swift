// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

extension LiveCeremony {
  init(registration path: String, _ arguments: ParsedArguments) throws(CommandFailure) {
    // The command line is checked before any file is read.
    let configuration = try Configuration(arguments)
    let response = try InputFile.bytes(path)
    let (options, mediation) = try configuration.options.creationOptions()
    let algorithms = options.credentialParameters.map(\.algorithm).filter {
      supportedAlgorithms.contains($0) && $0 != .rs1
    }
    guard !algorithms.isEmpty else {
      throw .verificationFailed("the options name no algorithm that this build verifies")
    }
    let relyingParty = try configuration.relyingParty(
      named: options.relyingParty.id, options.authenticatorSelection.userVerification, algorithms)
    self.init(
      registration: response, options: options, mediation: mediation, relyingParty: relyingParty,
      time: configuration.time)
  }

  init(authentication path: String, _ arguments: ParsedArguments) throws(CommandFailure) {
    let configuration = try Configuration(arguments)
    let source = try CredentialSource(arguments)
    let response = try InputFile.bytes(path)
    let options = try configuration.options.requestOptions()
    let relyingParty = try configuration.relyingParty(named: options.relyingPartyID, options.userVerification, nil)
    let credential = try source.credential(
      for: try? AuthenticationResponse(json: response[...]), relyingPartyID: relyingParty.id)
    self.init(
      authentication: response, options: options, credential: credential, relyingParty: relyingParty,
      time: configuration.time)
  }
}

/// The relying party's settings from the command line.
private struct Configuration {
  let options: OptionsSource
  let time: Timestamp

  private let relyingPartyID: RelyingPartyID?
  private let origins: [Origin]
  private let topOrigins: [Origin]
  private let attestation: AttestationPolicy

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    options = try OptionsSource(arguments)
    time = try arguments.time("--time") ?? Clock.now
    relyingPartyID = try arguments.relyingPartyID("--rp-id")
    origins = try arguments.origins("--origin")
    topOrigins = try arguments.origins("--top-origin")
    guard !origins.isEmpty else {
      throw .usage("--origin is missing", hint: "name the origin of the page: --origin https://raxx.app")
    }
    var attestation = AttestationPolicy(
      anchors: try arguments.certificates("--trust"), roots: try arguments.publishedRoots("--roots"),
      isTimeKnown: arguments.has("--time"))
    let lists = try RevocationFiles(arguments)
    attestation.revocationLists = lists.revocationLists
    attestation.statusLists = lists.statusLists
    attestation.rogueLists = lists.rogueLists
    attestation.knownAuthorities = try arguments.certificates("--authority") ?? []
    self.attestation = attestation
  }

  func relyingParty(
    named inOptions: RelyingPartyID?, _ userVerification: UserVerificationRequirement, _ algorithms: [COSEAlgorithm]?
  ) throws(CommandFailure) -> RelyingParty {
    if let relyingPartyID, let inOptions, relyingPartyID != inOptions {
      throw .usage("the options name \(inOptions), and --rp-id names \(relyingPartyID)", hint: "omit --rp-id")
    }
    var policy = CeremonyPolicy(attestation: attestation)
    policy.userVerification = userVerification
    if let algorithms { policy.algorithms = algorithms }
    if !topOrigins.isEmpty { policy.embedding = .allowed(topOrigins: topOrigins) }
    do {
      let id = try inOptions ?? relyingPartyID ?? RelyingPartyID("raxx.app")
      return try RelyingParty(id: id, name: id.text, origins: origins, policy: policy)
    } catch {
      throw .verificationFailed("\(error)")
    }
  }
}
