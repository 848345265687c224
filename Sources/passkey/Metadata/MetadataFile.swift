// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WireFormats

/// A file of FIDO metadata. Its signature is verified before any content is shown.
enum MetadataFile {
  /// The trust options of every command that reads a metadata file.
  static let trustOptions = [
    OptionSpecification(
      name: "--root", value: .init(name: "FILE"), isRepeatable: true,
      help: "trust signers below these certificates instead of the FIDO Alliance"),
    OptionSpecification(
      name: "--host", value: .init(name: "NAME"),
      help: "the host name required in the signer's certificate, if --root certifies others too"),
    OptionSpecification(
      name: "--crl", value: .init(name: "FILE"), isRepeatable: true,
      help: "refuse the certificates on this revocation list"),
    OptionSpecification(name: "--time", value: .init(name: "TIME"), help: "verify as of this time (now)"),
  ]

  /// Verifies the file named by the first argument.
  ///
  /// `expiry` decides whether an overdue issue is accepted. The signer's certificates must be valid in both cases.
  static func blob(
    _ arguments: ParsedArguments, lastNumber: UInt64 = 0, expiry: MetadataBlob.Expiry
  ) throws(CommandFailure) -> MetadataBlob {
    let path = arguments.positionals.first ?? "-"
    let signer = try signer(arguments)
    var revocationLists: [RevocationList] = []
    for path in arguments.all("--crl") { revocationLists.append(try CertificateFile.revocationList(in: path)) }
    let time = try arguments.time("--time") ?? Clock.now
    let token = try InputFile.bytes(path, limit: MetadataBlob.maximumByteCount)
    do throws(AttestationError) {
      return try MetadataBlob(
        verifying: trimmed(token), signedBy: signer, at: time, lastNumber: lastNumber, expiry: expiry,
        revocationLists: revocationLists)
    } catch {
      let name = path == "-" ? "standard input" : path.quotedForTerminal
      throw .verificationFailed("\(name): \(error.description.escapedForTerminal)", hint: hint(error, arguments))
    }
  }

  /// Reads lists of rogue authenticators and returns each with the entries whose hash it matches. Throws if a list
  /// matches no entry.
  static func rogueLists(
    _ arguments: ParsedArguments, of blob: MetadataBlob
  ) throws(CommandFailure) -> [(list: RogueList, entry: MetadataEntry)] {
    var found: [(RogueList, MetadataEntry)] = []
    for path in arguments.all("--rogue-list") {
      let text = try InputFile.bytes(path, limit: RogueList.maximumByteCount)
      var failure = AttestationError(.rogueListMismatch, "no entry has a rogueListHash")
      let count = found.count
      for entry in blob.entries where entry.rogueListHash != nil {
        do throws(AttestationError) {
          found.append((try blob.rogueList(json: text[...], of: entry), entry))
        } catch {
          failure = error
        }
      }
      guard found.count > count else {
        let name = path == "-" ? "standard input" : path.quotedForTerminal
        throw .verificationFailed("\(name): \(failure.description.escapedForTerminal)")
      }
    }
    return found
  }

  private static func signer(_ arguments: ParsedArguments) throws(CommandFailure) -> MetadataSigner {
    guard let anchors = try arguments.certificates("--root") else {
      guard !arguments.has("--host") else {
        throw .usage("--host needs --root", hint: "without --root, the signer is the FIDO Alliance's host")
      }
      return .fidoAlliance
    }
    return MetadataSigner(anchors: anchors, hostName: arguments["--host"])
  }

  /// Text files often end with a line break, which a token must not contain.
  private static func trimmed(_ token: [UInt8]) -> Bytes {
    var token = token[...]
    while let last = token.last, [0x20, 0x09, 0x0a, 0x0d].contains(last) { token = token.dropLast() }
    return token
  }

  private static func hint(_ error: AttestationError, _ arguments: ParsedArguments) -> String? {
    switch error.code {
    case .metadataExpired: "download the current metadata, or verify these as of their time with --time"
    case .metadataHostName where !arguments.has("--root"):
      "name the authority with --root if it is not the FIDO Alliance's"
    case .metadataUntrustedSigner where !arguments.has("--time"):
      "verify outdated metadata as of their time with --time"
    case .metadataMalformedToken: "a BLOB has three parts of base64url, separated by periods"
    default: nil
    }
  }
}
