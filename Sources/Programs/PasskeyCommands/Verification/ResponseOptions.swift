// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The options of `passkey verify` for one response.
struct ResponseOptions {
  /// The file with the response.
  let path: String
  /// The file for the updated credential record; `nil` for none.
  let recordOutput: String?

  private let ceremonyOptions: CeremonyOptions
  private let configuration: RelyingPartyOptions

  private enum CeremonyOptions {
    /// The user, if the options do not name one.
    case registration(UserHandle?)
    case authentication(CredentialSource)
  }

  /// Options that apply to registrations only, because a sign-in has no attestation.
  private static let attestationOptions: [any OptionSpecification] =
    [
      VerifyCommand.trust, VerifyCommand.roots, VerifyCommand.metadata, VerifyCommand.metadataRoot,
      VerifyCommand.authority,
    ] + RevocationLists.options + [VerifyCommand.strictAndroidChains]

  /// Decodes the options; `nil` if they name no response.
  init?(decoding arguments: ParsedArguments) throws(CommandFailure) {
    switch (arguments[VerifyCommand.registration], arguments[VerifyCommand.authentication]) {
    case (nil, nil):
      // These options require --registration or --authentication.
      if let stray = VerifyCommand.liveOptions.first(where: { arguments.has($0) }) {
        throw .usage(
          "\(stray.name) needs a response to verify", hint: "name the response with --registration or --authentication")
      }
      return nil
    case (_?, _?):
      throw .usage("--registration and --authentication cannot be combined", hint: "verify one response at a time")
    case (let path?, nil):
      try Self.refuse(
        [VerifyCommand.caseID, VerifyCommand.record, VerifyCommand.publicKey], with: VerifyCommand.registration,
        arguments)
      self.path = path
      configuration = try RelyingPartyOptions(arguments)
      let user = try UserHandleOption.handle(arguments)
      if case .file = configuration.options, user != nil {
        throw .usage("--user-handle and --options cannot be combined", hint: "the options contain the user handle")
      }
      ceremonyOptions = .registration(user)
    case (nil, let path?):
      try Self.refuse(
        [VerifyCommand.caseID] + Self.attestationOptions, with: VerifyCommand.authentication, arguments)
      if arguments.has(VerifyCommand.record) {
        try Self.refuse([UserHandleOption.option], with: VerifyCommand.record, arguments)
      }
      self.path = path
      configuration = try RelyingPartyOptions(arguments)
      ceremonyOptions = .authentication(try CredentialSource(arguments))
    }
    recordOutput = arguments[VerifyCommand.recordOut]
  }

  private static func refuse(
    _ options: [any OptionSpecification], with option: Option<String?>, _ arguments: ParsedArguments
  ) throws(CommandFailure) {
    if let other = options.first(where: { arguments.has($0) }) {
      throw .usage("\(other.name) cannot be combined with \(option.name)", hint: "omit \(other.name)")
    }
    guard arguments.positionals.isEmpty else {
      throw .usage("\(option.name) takes no file of cases", hint: "verify files of cases in a separate command")
    }
    let files =
      [VerifyCommand.registration, VerifyCommand.authentication, VerifyCommand.serverOptions, VerifyCommand.record]
      + attestationOptions
    guard files.flatMap({ arguments.texts(of: $0) }).filter({ $0 == "-" }).count <= 1 else {
      throw .usage("standard input can be used for one file only", hint: "write - for one of the files")
    }
    if arguments[VerifyCommand.recordOut] == "-",
      let other = [Option.json, VerifyCommand.explain].first(where: { arguments[$0] })
    {
      throw .usage("--record-out - and \(other.name) both write to standard output", hint: "write the record to a file")
    }
  }

  /// Reads the files and returns the ceremony to judge.
  func ceremony() throws(CommandFailure) -> ResponseCase {
    let response = try InputFile.bytes(path)
    switch ceremonyOptions {
    case .registration(let user): return try registration(response, of: user)
    case .authentication(let source): return try authentication(response, source)
    }
  }

  private func registration(_ response: [UInt8], of user: UserHandle?) throws(CommandFailure) -> ResponseCase {
    let isUserKnown = if case .challenge = configuration.options { user != nil } else { true }
    try requireUser(isUserKnown)
    let handle = if let user { user } else { try UserHandleOption.placeholder() }
    let (options, mediation) = try configuration.options.creationOptions(of: handle)
    let algorithms = options.verifiableAlgorithms
    guard !algorithms.isEmpty else {
      throw .verificationFailed("the options name no algorithm that this build verifies")
    }
    let relyingParty = try configuration.relyingParty(
      named: options.relyingParty.id, options.authenticatorSelection.userVerification, algorithms)
    return ResponseCase(
      registration: response, options: options, mediation: mediation, relyingParty: relyingParty,
      time: configuration.time, isUserKnown: isUserKnown)
  }

  private func authentication(
    _ response: [UInt8], _ source: CredentialSource
  ) throws(CommandFailure) -> ResponseCase {
    let parsed = try? AuthenticationResponse(json: response)
    // Without a user handle in the response, the server must have named the credential.
    let options = try configuration.options.requestOptions(allowing: parsed?.userHandle == nil ? parsed?.id : nil)
    let relyingParty = try configuration.relyingParty(named: options.relyingPartyID, options.userVerification, nil)
    let (credential, isUserKnown) = try source.credential(for: parsed, relyingPartyID: relyingParty.id)
    try requireUser(isUserKnown)
    return ResponseCase(
      authentication: response, options: options, credential: credential, relyingParty: relyingParty,
      time: configuration.time, isUserKnown: isUserKnown)
  }

  /// Throws if a record would name a user that is not known.
  private func requireUser(_ isUserKnown: Bool) throws(CommandFailure) {
    guard recordOutput != nil, !isUserKnown else { return }
    throw .usage(
      "--record-out needs a user handle, and neither the options nor the response contains one",
      hint: "name it with --user-handle BASE64URL")
  }
}

/// The relying party's settings from the command line.
private struct RelyingPartyOptions {
  let options: OptionsSource
  let time: UnixTime

  private let relyingPartyID: RelyingPartyID?
  private let origins: [WebOrigin]
  private let topOrigins: [WebOrigin]
  private let attestation: AttestationPolicy

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    options = try OptionsSource(arguments)
    time = arguments[VerifyCommand.time] ?? Clock.now
    relyingPartyID = arguments[VerifyCommand.relyingPartyID]
    origins = arguments[VerifyCommand.origin]
    topOrigins = arguments[VerifyCommand.topOrigin]
    guard !origins.isEmpty else {
      throw .usage("--origin is missing", hint: "name the origin of the page: --origin https://raxx.app")
    }
    let metadata = try MetadataFile(trustedBy: arguments, at: time)?.blob(expiry: .refused)
    var attestation = AttestationPolicy(
      anchors: try arguments.certificates(VerifyCommand.trust),
      roots: try arguments.publishedRoots(VerifyCommand.roots),
      metadata: metadata, isTimeKnown: arguments.has(VerifyCommand.time))
    // Like other anchors on the command line, metadata are all that is trusted.
    if metadata != nil { attestation.acceptableTrust.remove(.unanchored) }
    if arguments[VerifyCommand.strictAndroidChains] {
      attestation.androidKeyPath = .requiringValidDatesAndMarkedAuthorities
    }
    let lists = try RevocationLists(arguments)
    attestation.revocationLists = lists.revocationLists
    attestation.statusLists = lists.statusLists
    attestation.rogueLists = lists.rogueLists
    attestation.knownAuthorities = try arguments.certificates(VerifyCommand.authority) ?? []
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
