// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnInspection

/// `passkey inspect [FILE|-]`
enum InspectCommand: Command {
  private static let kind = Option<ArtifactKind?>(
    "--as", "KIND", help: "decode the artifact as this KIND, without detection")
  private static let cbor = Option("--cbor", help: "print CBOR in diagnostic notation (RFC 8949)")
  private static let full = Option("--full", help: "print long byte strings completely")
  private static let offsets = Option("--offsets", help: "start each line with its offset in the artifact")

  static let specification = CommandSpecification(
    name: "inspect",
    summary: "decode any WebAuthn artifact",
    arguments: "[OPTION…] [FILE|-]",
    discussion: [
      """
      Reads one artifact from FILE or standard input, detects its kind and encoding (raw bytes, hex, base64, \
      base64url, PEM or JSON), and prints it as a tree. Each error is shown where it occurs, with its offset. Output \
      on a terminal is colored, unless $NO_COLOR is set.
      """,
      """
      Finds artifacts inside other text too: the output of consoles and debuggers, byte lists, hex dumps, log lines, \
      HAR files, curl commands, forms, JWKs and JWTs. Several artifacts are listed. Signatures of JWTs are not verified.
      """,
      """
      For the options of a ceremony, the errors are the exceptions of a browser, and notes say what it reads in place \
      of null and of values of another type.
      """,
      """
      Exit codes: 0 the artifact is valid, 1 the file cannot be read, 2 invalid usage, 7 the artifact is invalid or \
      unrecognized.
      """,
    ],
    positionalCount: 0...1,
    options: [kind, .json, cbor, full, offsets, .help],
    examples: [
      .init(command: "passkey inspect response.json", meaning: "show everything in a registration response"),
      .init(command: "xclip -o | passkey inspect", meaning: "decode text copied from a log"),
      .init(command: "passkey inspect --as authenticator-data data.bin", meaning: "show where these bytes are invalid"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard !arguments[cbor] || !arguments.asksForJSON else {
      throw .usage("--cbor and --json cannot be combined", hint: "choose one")
    }
    let inspection = try inspection(of: try input(arguments.positionals.first), as: arguments[kind])
    if arguments[cbor] {
      try Output.write(try diagnosticNotation(of: inspection))
    } else if arguments.asksForJSON {
      try Output.write(inspection.json() + [UInt8(ascii: "\n")])
    } else {
      let palette = Palette.standard(for: .standardOutput)
      let layout = InspectionText(isFull: arguments[full], showsOffsets: arguments[offsets]) { (text, role) in
        switch role {
        case .name: palette.name(text)
        case .secondary: palette.quiet(text)
        case .problem: palette.problem(text)
        }
      }
      try Output.write(inspection.text(layout))
    }
    try report(inspection.tree)
  }

  private static func input(_ path: String?) throws(CommandFailure) -> [UInt8] {
    if path == nil, FileDescriptor.standardInput.isTerminal {
      throw .usage("nothing to inspect", hint: "name a file, or pipe the artifact to standard input")
    }
    let input = try InputFile.bytes(path ?? "-", limit: Inspection.maximumArchiveByteCount)
    guard !input.isEmpty else { throw .verificationFailed("the input is empty") }
    return input
  }

  private static func inspection(of input: [UInt8], as kind: ArtifactKind?) throws(CommandFailure) -> Inspection {
    try mapError(Inspection(of: input, as: kind)) { (error: InspectionError) in
      CommandFailure.verificationFailed("\(error)", hint: hint(error))
    }
  }

  private static func hint(_ error: InspectionError) -> String {
    switch error {
    case .malformedPEM: "the text has a PEM boundary, but no complete PEM block"
    case .tooLarge: "cut out the artifact, or save the requests as a HAR file"
    case .unrecognized(_, .vault?): "this looks like a vault: list its passkeys with passkey keys list --vault FILE"
    case .unrecognized(_, .token?): "this looks like a token: if it is FIDO metadata, use passkey mds show"
    case .unrecognized(_, .uuid?):
      "this looks like an AAGUID: look it up in a metadata BLOB with passkey mds show --aaguid"
    case .unrecognized(_, .opaqueBytes(let count, let form)?):
      "these \(count) bytes in \(form.rawValue) could be \(guess(count)); name the kind with --as if they are an artifact"
    case .unrecognized(_, nil): "name its kind with --as to see where it is invalid"
    }
  }

  /// Returns the names of WebAuthn values that have this many bytes and no structure.
  private static func guess(_ count: Int) -> String {
    switch count {
    case ..<16: "a user handle"
    case 16: "an AAGUID, a challenge or a credential ID"
    case 32: "a challenge, a credential ID, a user handle or a SHA-256 hash"
    case 64: "a user handle, a challenge, a credential ID or an Ed25519 signature"
    case 17...64: "a challenge, a credential ID or a user handle"
    default: "a credential ID or a signature"
    }
  }

  private static func diagnosticNotation(of inspection: Inspection) throws(CommandFailure) -> String {
    do throws(WireError) {
      if let text = try inspection.diagnosticNotation() { return text }
    } catch {
      throw .verificationFailed("\(error)", hint: "omit --cbor to see what precedes the error")
    }
    throw .usage("\(inspection.kind.title) is not CBOR", hint: "omit --cbor")
  }

  private static func report(_ tree: InspectionNode) throws(CommandFailure) {
    guard let (path, problem) = tree.firstProblem else { return }
    let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
    let count = tree.problemCount
    throw .verificationFailed(
      place + problem.description, hint: count == 1 ? nil : "more errors in the tree: \(count - 1)")
  }
}

extension ArtifactKind: OptionValue {}
