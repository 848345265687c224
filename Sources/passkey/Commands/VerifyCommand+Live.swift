// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WireFormats

// A single response from a browser.

extension VerifyCommand {
  static let liveOptions =
    [
      OptionSpecification(
        name: "--registration", value: file, help: "judge this response of navigator.credentials.create()"),
      OptionSpecification(
        name: "--authentication", value: file, help: "judge this response of navigator.credentials.get()"),
      OptionSpecification(name: "--options", value: file, help: "the options that the server had sent"),
      OptionSpecification(
        name: "--challenge", value: .init(name: "BASE64URL"),
        help: "the challenge, in place of --options; needs --rp-id"),
      OptionSpecification(
        name: "--origin", value: .init(name: "ORIGIN"), isRepeatable: true, help: "the page may be of this origin"),
      OptionSpecification(
        name: "--top-origin", value: .init(name: "ORIGIN"), isRepeatable: true,
        help: "the page may be inside one of this origin"),
      OptionSpecification(
        name: "--rp-id", value: .init(name: "DOMAIN"),
        help: "the relying party, where the options do not name it (raxx.app)"),
      OptionSpecification(
        name: "--public-key", value: .init(name: "KEY"),
        help: "the COSE key in Base64url or hex, in place of --record"),
      OptionSpecification(name: "--record", value: file, help: "what was stored at the registration"),
      OptionSpecification(name: "--record-out", value: file, help: "write what is to be stored now"),
      OptionSpecification(
        name: "--trust", value: file, isRepeatable: true,
        help: "believe attestation below these certificates, and no other"),
      OptionSpecification(
        name: "--roots", value: .init(name: "GROUP"), isRepeatable: true,
        help: "believe attestation below the built-in roots of apple, google, microsoft, tpm or all, and no other"),
      OptionSpecification(
        name: "--authority", value: file, isRepeatable: true,
        help: "intermediate certificates that the response may leave out; they vouch for nothing themselves"),
    ] + RevocationFiles.options + [
      OptionSpecification(name: "--time", value: .init(name: "TIME"), help: "judge at this time, not now")
    ]

  /// Options that apply to registrations only, because a sign-in has no attestation.
  private static let attestationOptions = [
    "--trust", "--roots", "--authority", "--crl", "--status-list", "--rogue-list",
  ]

  private static let file = OptionSpecification.Value(name: "FILE")

  /// Returns the ceremony that the options name, or nil.
  static func liveCeremony(_ arguments: ParsedArguments) throws(CommandFailure) -> LiveCeremony? {
    switch (arguments["--registration"], arguments["--authentication"]) {
    case (nil, nil):
      // These options require --registration or --authentication.
      if let stray = liveOptions.first(where: { arguments.has($0.name) }) {
        throw .usage(
          "\(stray.name) is about one response", hint: "name the response with --registration or --authentication")
      }
      return nil
    case (_?, _?):
      throw .usage("--registration and --authentication are two ceremonies", hint: "judge one after the other")
    case (let path?, nil):
      try refuse(["--case", "--record", "--public-key"], with: "--registration", arguments)
      return try LiveCeremony(registration: path, arguments)
    case (nil, let path?):
      try refuse(["--case"] + attestationOptions, with: "--authentication", arguments)
      return try LiveCeremony(authentication: path, arguments)
    }
  }

  private static func refuse(
    _ names: [String], with option: String, _ arguments: ParsedArguments
  ) throws(CommandFailure) {
    if let name = names.first(where: arguments.has) {
      throw .usage("\(name) has no meaning with \(option)", hint: "leave \(name) out")
    }
    guard arguments.positionals.isEmpty else {
      throw .usage("\(option) takes one file", hint: "judge files of cases by themselves")
    }
    let files = ["--registration", "--authentication", "--options", "--record"] + attestationOptions
    guard files.flatMap(arguments.all).filter({ $0 == "-" }).count <= 1 else {
      throw .usage("standard input is only one file", hint: "write - for one of them")
    }
    let isTaken = arguments["--record-out"] == "-"
    if isTaken, let other = ["--json", "--explain"].first(where: arguments.has) {
      throw .usage("--record-out - and \(other) both write to standard output", hint: "write the record to a file")
    }
  }

  static func judge(_ ceremony: LiveCeremony, _ arguments: ParsedArguments) throws(CommandFailure) {
    let verdict = ceremony.verdict()
    let isExplained = arguments.has("--explain")
    if arguments.has("--json") {
      try Output.write(CeremonyReport.json(of: verdict, ceremony.kind, withSteps: isExplained))
    } else if arguments["--record-out"] != "-" {
      try Output.write(text(of: verdict, ceremony, isExplained))
    }
    if let path = arguments["--record-out"], let credential = verdict.credential {
      try RecordFile.write(credential, to: path)
    }
    if let refusal = verdict.refusal {
      let hint = isExplained || verdict.steps.isEmpty ? nil : "--explain prints every step up to this one"
      // Without any verification step, the file was not a response, so the message names it.
      let path = arguments["--registration"] ?? arguments["--authentication"] ?? "-"
      let name = path == "-" ? "standard input" : path.quotedForTerminal
      let words = refusal.description.escapedForTerminal
      throw .verificationFailed(verdict.steps.isEmpty ? "\(name): \(words)" : words, hint: hint)
    }
  }

  private static func text(of verdict: CaseVerdict, _ ceremony: LiveCeremony, _ isExplained: Bool) -> String {
    var lines: [String] = []
    if isExplained {
      lines = ["\(ceremony.relyingParty.id): \(CeremonyReport.title(of: ceremony.kind))"]
      lines += CeremonyReport.steps(of: verdict)
    } else if verdict.isVerified {
      lines = ["verified: \(ceremony.kind.rawValue) for \(ceremony.relyingParty.id)"]
    }
    lines += CeremonyReport.facts(of: verdict).map { "  " + $0.escapedForTerminal }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension CaseVerdict {
  /// The credential record to store, or nil if the ceremony was refused.
  fileprivate var credential: StoredCredential? {
    switch outcome {
    case .registered(let result): result.credential
    case .authenticated(let result): result.credential
    case .refused: nil
    }
  }
}
