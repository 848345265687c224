// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnInspection

/// A file of FIDO metadata. Its signature is verified before any content is shown.
struct MetadataFile {
  private static let root = Option<[String]>(
    "--root", "FILE",
    help: "trust signers below these certificates instead of the FIDO Alliance")
  private static let host = Option(
    "--host", "NAME",
    help: "the host name required in the signer's certificate, if --root certifies others too")
  private static let crl = Option<[String]>("--crl", "FILE", help: "refuse the certificates on this revocation list")
  private static let time = Option<UnixTime?>("--time", "TIME", help: "verify as of this time (now)")

  /// The trust options of every command that reads a metadata file.
  static let trustOptions: [any OptionSpecification] = [root, host, crl, time]

  /// The path, or "-" for standard input.
  private let path: String
  /// The time at which the metadata are judged.
  let time: UnixTime
  private let signer: MetadataSigner
  private let revocationLists: [RevocationList]
  private let hasOwnRoots: Bool
  private let hasOwnTime: Bool
  /// The option that names the roots of the signer.
  private var rootOption = Self.root

  /// Reads the first argument and the trust options.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    path = arguments.positionals.first ?? "-"
    signer = try Self.signer(arguments)
    var lists: [RevocationList] = []
    for path in arguments[Self.crl] { lists.append(try CertificateFile.revocationList(in: path)) }
    revocationLists = lists
    time = arguments[Self.time] ?? Clock.now
    hasOwnRoots = arguments.has(Self.root)
    hasOwnTime = arguments.has(Self.time)
  }

  /// Reads the options of `passkey verify`; nil without `--metadata`.
  init?(trustedBy arguments: ParsedArguments, at time: UnixTime) throws(CommandFailure) {
    rootOption = VerifyCommand.metadataRoot
    let anchors = try arguments.certificates(rootOption)
    guard let path = arguments[VerifyCommand.metadata] else {
      guard anchors == nil else {
        throw .usage(
          "\(rootOption.name) needs --metadata", hint: "name the BLOB that is signed below these certificates")
      }
      return nil
    }
    self.path = path
    self.time = time
    signer = anchors.map { MetadataSigner(anchors: $0, hostName: nil) } ?? .fidoAlliance
    revocationLists = []
    hasOwnRoots = anchors != nil
    hasOwnTime = arguments.has(VerifyCommand.time)
  }

  private static func signer(_ arguments: ParsedArguments) throws(CommandFailure) -> MetadataSigner {
    guard let anchors = try arguments.certificates(root) else {
      guard !arguments.has(host) else {
        throw .usage("--host needs --root", hint: "without --root, the signer is the FIDO Alliance's host")
      }
      return .fidoAlliance
    }
    return MetadataSigner(anchors: anchors, hostName: arguments[host])
  }

  /// Verifies the file. `expiry` decides whether an overdue issue is accepted. The signer's certificates must be valid in
  /// both cases.
  func blob(lastNumber: UInt64 = 0, expiry: MetadataBlob.Expiry) throws(CommandFailure) -> MetadataBlob {
    let token = try InputFile.bytes(path, limit: MetadataBlob.maximumByteCount)
    do throws(AttestationError) {
      return try MetadataBlob(
        verifying: [UInt8](Self.trimmed(token)), signedBy: signer, at: time, lastNumber: lastNumber, expiry: expiry,
        revocationLists: revocationLists)
    } catch {
      throw .verificationFailed("\(InputFile.name(path)): \(error.description.escapedForTerminal)", hint: hint(error))
    }
  }

  /// Reads a list of rogue authenticators. Throws if it matches no entry.
  static func rogueListMatches(
    _ path: String, of blob: MetadataBlob
  ) throws(CommandFailure) -> [RogueListMatch] {
    let text = try InputFile.bytes(path, limit: RogueList.maximumByteCount)
    return try mapError(blob.rogueListMatches(json: text)) { (error: AttestationError) in
      CommandFailure.verificationFailed("\(InputFile.name(path)): \(error.description.escapedForTerminal)")
    }
  }

  /// Text files often end with a line break, which a token must not contain.
  private static func trimmed(_ token: [UInt8]) -> Bytes {
    var token = token[...]
    while let last = token.last, [0x20, 0x09, 0x0a, 0x0d].contains(last) { token = token.dropLast() }
    return token
  }

  private func hint(_ error: AttestationError) -> String? {
    switch error.code {
    case .metadataExpired: "download the current metadata, or verify these as of their time with --time"
    case .metadataHostName where !hasOwnRoots:
      "name the authority with \(rootOption.name) if it is not the FIDO Alliance's"
    case .metadataUntrustedSigner where !hasOwnTime: "verify outdated metadata as of their time with --time"
    case .metadataMalformedToken: "a BLOB has three parts of base64url, separated by periods"
    default: nil
    }
  }
}
