// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import WebAuthnInspection

/// `passkey mds revoked CERTIFICATES`
enum MetadataRevokedCommand: Command {
  static let specification = CommandSpecification(
    name: "mds revoked",
    summary: "look up certificates in revocation lists",
    arguments: "[OPTION…] CERTIFICATES|-",
    discussion: [
      """
      Prints a line for each certificate of the file: valid, or the list that names it. A revocation list is matched \
      by issuer and serial number; its signature is not verified. Each list option can be repeated.
      """,
      """
      Exit codes: 0 no certificate is listed, 1 a file cannot be read, 2 invalid usage, 7 a certificate is listed, or \
      a file is malformed.
      """,
    ],
    positionalCount: 1...1,
    options: RevocationLists.options + [
      .jsonLines,
      .help,
    ],
    examples: [
      .init(
        command: "passkey mds revoked --status-list status.json chain.pem",
        meaning: "check whether Google has revoked a certificate of an Android phone")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let lists = try RevocationLists(arguments)
    guard !lists.isEmpty else {
      throw .usage("mds revoked needs a list", hint: "name one with --crl, --status-list or --rogue-list")
    }
    let certificates = try CertificateFile.certificates(in: arguments.positionals[0])
    var count = 0
    for certificate in certificates {
      let finding = lists.finding(about: certificate)
      if finding != nil { count += 1 }
      try Output.write(
        arguments.asksForJSON
          ? RevocationLists.json(certificate, finding) : Array(RevocationLists.text(certificate, finding).utf8))
    }
    guard count == 0 else { throw .verificationFailed("\(count) of \(certificates.count) certificates are revoked") }
  }
}
