// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// One response that a browser gave, and what it is judged by: the options that were sent to it, the relying party's
/// configuration, and for a sign-in what was stored.
struct LiveCeremony {
  let relyingParty: RelyingParty

  private let question: Question
  private let response: [UInt8]
  private let time: Timestamp

  private enum Question {
    case registration(CreationOptions, RegistrationMediation)
    case authentication(RequestOptions, StoredCredential)
  }

  /// Which of the two ceremonies it is.
  var kind: VerificationCase.Ceremony {
    switch question {
    case .registration: .registration
    case .authentication: .authentication
    }
  }

  /// What our relying party makes of it.
  func verdict() -> CaseVerdict {
    CaseVerdict { trace in
      switch question {
      case .registration(let options, let mediation):
        let begun = relyingParty.beginRegistration(
          of: options.user, excluding: options.excludeCredentials, mediation: mediation,
          userVerification: options.authenticatorSelection.userVerification, extensions: options.extensions, at: time,
          challenge: options.challenge)
        return .registered(
          try relyingParty.finishRegistration(
            RegistrationResponse(json: response[...]), pending: begun.pending, existing: .notFound, at: time,
            trace: trace))
      case .authentication(let options, let credential):
        let begun = relyingParty.beginAuthentication(
          of: options.allowCredentials.isEmpty
            ? .fromResponse : .knownBefore(credential.user, credentials: options.allowCredentials),
          extensions: options.extensions, at: time, challenge: options.challenge)
        return .authenticated(
          try relyingParty.finishAuthentication(
            AuthenticationResponse(json: response[...]), pending: begun.pending, credential: credential, at: time,
            trace: trace))
      }
    }
  }
}

// MARK: From the command line

extension LiveCeremony {
  init(registration path: String, _ arguments: ParsedArguments) throws(CommandFailure) {
    // What is wrong with the command line is said before any file is read.
    let configuration = try Configuration(arguments)
    response = try InputFile.bytes(path)
    time = configuration.time
    let (options, mediation) = try OptionsFile.creationOptions(in: configuration.optionsPath)
    question = .registration(options, mediation)
    let algorithms = options.credentialParameters.map(\.algorithm).filter {
      supportedAlgorithms.contains($0) && $0 != .rs1
    }
    guard !algorithms.isEmpty else {
      throw .verificationFailed("the options ask for no algorithm that this build verifies")
    }
    relyingParty = try configuration.relyingParty(
      named: options.relyingParty.id, options.authenticatorSelection.userVerification, algorithms)
  }

  init(authentication path: String, _ arguments: ParsedArguments) throws(CommandFailure) {
    let configuration = try Configuration(arguments)
    let recordPath = try RecordFile.path(arguments)
    response = try InputFile.bytes(path)
    time = configuration.time
    let options = try OptionsFile.requestOptions(in: configuration.optionsPath)
    relyingParty = try configuration.relyingParty(named: options.relyingPartyID, options.userVerification, nil)
    let id = (try? AuthenticationResponse(json: response[...]))?.id
    question = .authentication(options, try RecordFile.credential(id, in: recordPath, for: relyingParty.id))
  }
}

/// What the command line says of the relying party.
private struct Configuration {
  let optionsPath: String
  let time: Timestamp

  private let relyingPartyID: RelyingPartyID?
  private let origins: [Origin]
  private let topOrigins: [Origin]
  private let attestation: AttestationPolicy

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    optionsPath = try OptionsFile.path(arguments)
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
      throw .usage("the options are for \(inOptions), and --rp-id says \(relyingPartyID)", hint: "leave --rp-id out")
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
