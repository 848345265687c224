// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnRelyingParty

// A single response from a browser.

extension VerifyCommand {
  static let liveOptions =
    [
      OptionSpecification(
        name: "--registration", value: file, help: "verify this response of navigator.credentials.create()"),
      OptionSpecification(
        name: "--authentication", value: file, help: "verify this response of navigator.credentials.get()"),
      OptionSpecification(name: "--options", value: file, help: "the options that the server sent"),
      OptionSpecification(
        name: "--challenge", value: .init(name: "BASE64URL"),
        help: "the challenge, instead of --options; needs --rp-id"),
      OptionSpecification(
        name: "--origin", value: .init(name: "ORIGIN"), isRepeatable: true, help: "accept this origin of the page"),
      OptionSpecification(
        name: "--top-origin", value: .init(name: "ORIGIN"), isRepeatable: true,
        help: "accept this origin of a page that embeds the page"),
      OptionSpecification(
        name: "--rp-id", value: .init(name: "DOMAIN"),
        help: "the RP ID if the options name none (raxx.app); required with --challenge, without a default"),
      UserHandleOption.specification,
      OptionSpecification(
        name: "--public-key", value: .init(name: "KEY"),
        help: "the COSE key in base64url or hex, instead of --record"),
      OptionSpecification(name: "--record", value: file, help: "the credential record stored at registration"),
      OptionSpecification(name: "--record-out", value: file, help: "write the updated credential record to this file"),
      OptionSpecification(
        name: "--trust", value: file, isRepeatable: true,
        help: "trust attestation below these certificates only"),
      OptionSpecification(
        name: "--roots", value: .init(name: "GROUP"), isRepeatable: true,
        help: "trust attestation below these built-in roots only: apple, google, microsoft, tpm or all"),
      OptionSpecification(
        name: "--metadata", value: file,
        help: "trust attestation as this BLOB of FIDO metadata says; --trust and --roots add anchors for other models"),
      OptionSpecification(
        name: "--metadata-root", value: file, isRepeatable: true,
        help: "trust signers of --metadata below these certificates instead of the FIDO Alliance"),
      OptionSpecification(
        name: "--authority", value: file, isRepeatable: true,
        help: "intermediate certificates that the response may omit; they are not trust anchors"),
      OptionSpecification(
        name: "--strict-android-chains",
        help: "validate chains to Google's roots by RFC 5280 alone, and not as Google does"),
    ] + RevocationLists.options + [
      OptionSpecification(name: "--time", value: .init(name: "TIME"), help: "verify as of this time (now)")
    ]

  private static let file = OptionSpecification.Value(name: "FILE")

  static func judge(_ response: ResponseOptions, _ options: Options) throws(CommandFailure) {
    let ceremony = try response.ceremony()
    let verdict = ceremony.verdict()
    let isExplained = options.isExplained
    if options.asJSON {
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
