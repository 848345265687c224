// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WireFormats

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
    options: RevocationFiles.options + [
      .jsonLines,
      .help,
    ],
    examples: [
      .init(
        command: "passkey mds revoked --status-list status.json chain.pem",
        meaning: "check whether Google has revoked a certificate of an Android phone")
    ])

  struct Options: CommandArguments {
    fileprivate let lists: RevocationFiles
    fileprivate let path: String
    fileprivate let asJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      lists = try RevocationFiles(arguments)
      guard !lists.isEmpty else {
        throw .usage("mds revoked needs a list", hint: "name one with --crl, --status-list or --rogue-list")
      }
      path = arguments.positionals[0]
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let certificates = try CertificateFile.certificates(in: options.path)
    var count = 0
    for certificate in certificates {
      let finding = options.lists.finding(about: certificate)
      if finding != nil { count += 1 }
      try Output.write(options.asJSON ? json(certificate, finding) : Array(text(certificate, finding).utf8))
    }
    guard count == 0 else { throw .verificationFailed("\(count) of \(certificates.count) certificates are revoked") }
  }

  private static func text(_ certificate: Certificate, _ finding: String?) -> String {
    let serialNumber = Hex.encode(certificate.serialNumber)
    return "\(finding ?? "valid"): \(certificate.subject), serial number \(serialNumber)".escapedForTerminal + "\n"
  }

  private static func json(_ certificate: Certificate, _ finding: String?) -> [UInt8] {
    JSON.writeObject { output in
      output.write("subject", .string("\(certificate.subject)"))
      output.write("serialNumber", .string(Hex.encode(certificate.serialNumber)))
      output.write("revoked", .bool(finding != nil))
      if let finding { output.write("finding", .string(finding)) }
    } + [UInt8(ascii: "\n")]
  }
}

extension RevocationFiles {
  fileprivate var isEmpty: Bool { revocationLists.isEmpty && statusLists.isEmpty && rogueLists.isEmpty }

  /// Reports the first list that names a certificate; nil if none does.
  fileprivate func finding(about certificate: Certificate) -> String? {
    for list in revocationLists where list.issuer == certificate.issuer {
      if let revocation = list.revocation(of: certificate.serialNumber) { return "revoked at \(revocation.date)" }
    }
    for list in statusLists {
      if let entry = list.entry(serialNumber: certificate.serialNumber) {
        return "\(entry.status)" + (entry.reason.map { ", \($0)" } ?? "")
      }
    }
    for list in rogueLists {
      if let date = list.date(of: certificate) { return "rogue since \(date)" }
    }
    return nil
  }
}
