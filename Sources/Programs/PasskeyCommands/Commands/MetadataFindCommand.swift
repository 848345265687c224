// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnInspection

/// `passkey mds find BLOB TEXT`
enum MetadataFindCommand: Command {
  static let specification = CommandSpecification(
    name: "mds find",
    summary: "find models by name, AAGUID or attestation key",
    arguments: "[OPTION…] BLOB|- TEXT",
    discussion: [
      """
      TEXT is an AAGUID, the SHA-1 of an attestation certificate's key (its subject key identifier, in hex), or words \
      of the name in any case. Prints full details for one match, and a list for several.
      """,
      "Exit codes: 0 found, 1 a file cannot be read, 2 invalid usage, 7 the metadata are invalid, or nothing matches.",
    ],
    positionalCount: 2...2,
    options: MetadataFile.trustOptions + [
      .jsonLines,
      .help,
    ],
    examples: [
      .init(
        command: "passkey mds find blob.jwt \"yubikey 5\"", meaning: "find every model with both words in its name"
      ),
      .init(
        command: "passkey mds find blob.jwt 923881fe2f214ee465484371aeb72e97f5a58e0a",
        meaning: "find the U2F model with this key in its certificate"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let file = try MetadataFile(arguments)
    let text = arguments.positionals[1]
    let blob = try file.blob(expiry: .used)
    let found = MetadataQuery(text).entries(in: blob)
    let report = MetadataReport(at: file.time)
    guard let first = found.first else {
      throw .verificationFailed(
        "no model in the metadata matches \(text.quotedForTerminal)",
        hint: "passkey mds show lists all \(blob.entries.count) models")
    }
    if found.count == 1 {
      try report.write(first, asJSON: arguments.asksForJSON)
    } else {
      try report.write(found, asJSON: arguments.asksForJSON)
    }
  }
}
