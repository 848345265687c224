// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnRelyingParty

// A single response from a browser.

extension VerifyCommand {
  static let registration = Option(
    "--registration", "FILE", help: "verify this response of navigator.credentials.create()")
  static let authentication = Option(
    "--authentication", "FILE", help: "verify this response of navigator.credentials.get()")
  static let serverOptions = Option("--options", "FILE", help: "the options that the server sent")
  static let challenge = Option(
    "--challenge", "BASE64URL", help: "the challenge, instead of --options; needs --rp-id")
  static let origin = Option<[WebOrigin]>("--origin", "ORIGIN", help: "accept this origin of the page")
  static let topOrigin = Option<[WebOrigin]>(
    "--top-origin", "ORIGIN",
    help: "accept this origin of a page that embeds the page")
  static let relyingPartyID = Option<RelyingPartyID?>(
    "--rp-id", "DOMAIN",
    help: "the RP ID if the options name none (raxx.app); required with --challenge, without a default")
  static let publicKey = Option(
    "--public-key", "KEY", help: "the COSE key in base64url or hex, instead of --record")
  static let record = Option("--record", "FILE", help: "the credential record stored at registration")
  static let recordOut = Option(
    "--record-out", "FILE", help: "write the updated credential record to this file")
  static let trust = Option<[String]>(
    "--trust", "FILE", help: "trust attestation below these certificates only")
  static let roots = Option<[String]>(
    "--roots", "GROUP",
    help: "trust attestation below these built-in roots only: apple, google, microsoft, tpm or all")
  static let metadata = Option(
    "--metadata", "FILE",
    help: "trust attestation as this BLOB of FIDO metadata says; --trust and --roots add anchors for other models")
  static let metadataRoot = Option<[String]>(
    "--metadata-root", "FILE",
    help: "trust signers of --metadata below these certificates instead of the FIDO Alliance")
  static let authority = Option<[String]>(
    "--authority", "FILE",
    help: "intermediate certificates that the response may omit; they are not trust anchors")
  static let strictAndroidChains = Option(
    "--strict-android-chains",
    help: "validate chains to Google's roots by RFC 5280 alone, and not as Google does")
  static let time = Option<UnixTime?>("--time", "TIME", help: "verify as of this time (now)")

  static let liveOptions =
    [
      registration, authentication, serverOptions, challenge, origin, topOrigin, relyingPartyID,
      UserHandleOption.option, publicKey, record, recordOut, trust, roots, metadata, metadataRoot, authority,
      strictAndroidChains,
    ] + RevocationLists.options + [time]

  static func judge(_ response: ResponseOptions, _ arguments: ParsedArguments) throws(CommandFailure) {
    let ceremony = try response.ceremony()
    let verdict = ceremony.verdict()
    let isExplained = arguments[explain]
    if arguments.asksForJSON {
      try Output.write(
        CeremonyReport.json(of: verdict, ceremony.kind, withSteps: isExplained, isUserKnown: ceremony.isUserKnown))
    } else if response.recordOutput != "-" {
      try Output.write(text(of: verdict, ceremony, isExplained))
    }
    if let path = response.recordOutput, let credential = verdict.credential {
      try RecordFile.write(credential, to: path)
    }
    if let refusal = verdict.refusal {
      let hint = isExplained || verdict.steps.isEmpty ? nil : "--explain prints every step up to this one"
      // Without any verification step, the file was not a response, so the message names it.
      let path = response.path
      let name = InputFile.name(path)
      let words = refusal.description.escapedForTerminal
      throw .verificationFailed(verdict.steps.isEmpty ? "\(name): \(words)" : words, hint: hint).coded(refusal.code)
    }
  }

  private static func text(of verdict: CaseVerdict, _ ceremony: ResponseCase, _ isExplained: Bool) -> String {
    var lines: [String] = []
    if isExplained {
      lines = ["\(ceremony.relyingParty.id): \(CeremonyReport.title(of: ceremony.kind))"]
      lines += CeremonyReport.steps(of: verdict)
    } else if verdict.isVerified {
      lines = ["verified: \(ceremony.kind.rawValue) for \(ceremony.relyingParty.id)"]
    }
    lines += CeremonyReport.facts(of: verdict, isUserKnown: ceremony.isUserKnown).map { "  " + $0.escapedForTerminal }
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
