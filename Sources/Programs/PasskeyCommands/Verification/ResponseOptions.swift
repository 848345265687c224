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
  private static let attestationOptions = [
    "--trust", "--roots", "--metadata", "--metadata-root", "--authority", "--crl", "--status-list", "--rogue-list",
    "--strict-android-chains",
  ]

  /// Decodes the options; `nil` if they name no response.
  init?(decoding arguments: ParsedArguments) throws(CommandFailure) {
    switch (arguments["--registration"], arguments["--authentication"]) {
    case (nil, nil):
      // These options require --registration or --authentication.
      if let stray = VerifyCommand.liveOptions.first(where: { arguments.has($0.name) }) {
        throw .usage(
          "\(stray.name) needs a response to verify", hint: "name the response with --registration or --authentication")
      }
      return nil
    case (_?, _?):
      throw .usage("--registration and --authentication cannot be combined", hint: "verify one response at a time")
    case (let path?, nil):
      try Self.refuse(["--case", "--record", "--public-key"], with: "--registration", arguments)
      self.path = path
      configuration = try RelyingPartyOptions(arguments)
      let user = try UserHandleOption.handle(arguments)
      if case .file = configuration.options, user != nil {
        throw .usage("--user-handle and --options cannot be combined", hint: "the options contain the user handle")
      }
      ceremonyOptions = .registration(user)
    case (nil, let path?):
      try Self.refuse(["--case"] + Self.attestationOptions, with: "--authentication", arguments)
      if arguments.has("--record") { try Self.refuse(["--user-handle"], with: "--record", arguments) }
      self.path = path
      configuration = try RelyingPartyOptions(arguments)
      ceremonyOptions = .authentication(try CredentialSource(arguments))
    }
    recordOutput = arguments["--record-out"]
  }

  private static func refuse(
    _ names: [String], with option: String, _ arguments: ParsedArguments
  ) throws(CommandFailure) {
    if let name = names.first(where: arguments.has) {
      throw .usage("\(name) cannot be combined with \(option)", hint: "omit \(name)")
    }
    guard arguments.positionals.isEmpty else {
      throw .usage("\(option) takes no file of cases", hint: "verify files of cases in a separate command")
    }
    let files = ["--registration", "--authentication", "--options", "--record"] + attestationOptions
    guard files.flatMap(arguments.all).filter({ $0 == "-" }).count <= 1 else {
      throw .usage("standard input can be used for one file only", hint: "write - for one of the files")
    }
    if arguments["--record-out"] == "-", let other = ["--json", "--explain"].first(where: arguments.has) {
      throw .usage("--record-out - and \(other) both write to standard output", hint: "write the record to a file")
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
    time = try arguments.time("--time") ?? Clock.now
    relyingPartyID = try arguments.relyingPartyID("--rp-id")
    origins = try arguments.origins("--origin")
    topOrigins = try arguments.origins("--top-origin")
    guard !origins.isEmpty else {
      throw .usage("--origin is missing", hint: "name the origin of the page: --origin https://raxx.app")
    }
    let metadata = try MetadataFile(trustedBy: arguments, at: time)?.blob(expiry: .refused)
    var attestation = AttestationPolicy(
      anchors: try arguments.certificates("--trust"), roots: try arguments.publishedRoots("--roots"),
      metadata: metadata, isTimeKnown: arguments.has("--time"))
    // Like other anchors on the command line, metadata are all that is trusted.
    if metadata != nil { attestation.acceptableTrust.remove(.unanchored) }
    if arguments.has("--strict-android-chains") {
      attestation.androidKeyPath = .requiringValidDatesAndMarkedAuthorities
    }
    let lists = try RevocationLists(arguments)
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
