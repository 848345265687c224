// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// `passkey inspect [FILE|-]`
enum InspectCommand: Command {
  static let specification = CommandSpecification(
    name: "inspect",
    summary: "take any WebAuthn artifact apart",
    arguments: "[OPTION…] [FILE|-]",
    discussion: [
      """
      Reads one artifact from FILE, or from standard input, finds out what it is and how it is written (raw bytes, hex, \
      base64, base64url, PEM or JSON), and prints it as a tree. What is wrong with it is shown at the place where it is \
      wrong, with the offset. It has colours on a terminal, unless $NO_COLOR is set.
      """,
      """
      Exit codes: 0 nothing is wrong, 1 the file cannot be read, 2 the command line is not understood, 7 the artifact \
      is wrong or not known.
      """,
    ],
    positionalCount: 0...1,
    options: [
      OptionSpecification(
        name: "--as", value: .init(name: "KIND", choices: ArtifactKind.allCases.map(\.rawValue)),
        help: "take the artifact for a KIND, whatever it looks like"),
      OptionSpecification(name: "--json", help: "print the tree as JSON, for programs"),
      OptionSpecification(name: "--cbor", help: "print CBOR in diagnostic notation (RFC 8949)"),
      OptionSpecification(name: "--full", help: "show long byte strings whole"),
      OptionSpecification(name: "--offsets", help: "begin each line with the place in the artifact"),
      .help,
    ],
    examples: [
      .init(command: "passkey inspect response.json", meaning: "everything in a registration response"),
      .init(command: "xclip -o | passkey inspect", meaning: "whatever was copied from a log"),
      .init(command: "passkey inspect --as authenticator-data data.bin", meaning: "where these bytes go wrong"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let kind = arguments["--as"].flatMap(ArtifactKind.init(rawValue:))
    let inspection = try Inspection(of: try input(arguments), as: kind)
    if arguments.has("--cbor") {
      try Output.write(try diagnosticNotation(of: inspection))
    } else if arguments.has("--json") {
      try Output.write(InspectionJSON.text(of: inspection) + [UInt8(ascii: "\n")])
    } else {
      let text = TreeText(
        palette: .standard(for: .standardOutput), isFull: arguments.has("--full"),
        showsOffsets: arguments.has("--offsets"))
      try Output.write(text.text(of: inspection.titledTree))
    }
    try report(inspection.tree)
  }

  private static func input(_ arguments: ParsedArguments) throws(CommandFailure) -> [UInt8] {
    if arguments.has("--cbor"), arguments.has("--json") {
      throw .usage("--cbor and --json are two forms of output", hint: "choose one of them")
    }
    let path = arguments.positionals.first
    if path == nil, FileDescriptor.standardInput.isTerminal {
      throw .usage("nothing to inspect", hint: "name a file, or pipe the artifact in")
    }
    let input = try InputFile.bytes(path ?? "-")
    guard !input.isEmpty else { throw .verificationFailed("the input is empty") }
    return input
  }

  private static func diagnosticNotation(of inspection: Inspection) throws(CommandFailure) -> String {
    guard let start = inspection.kind.cborStart else {
      throw .usage("\(inspection.kind.title) is not CBOR", hint: "leave --cbor out")
    }
    let bytes = inspection.bytes[...].dropFirst(start)
    do throws(WireError) {
      return CBORDiagnostic.text(of: try CBORValue(parsing: bytes, rules: .general), layout: .indented) + "\n"
    } catch {
      throw .verificationFailed("\(error)", hint: "without --cbor the part before it is shown")
    }
  }

  private static func report(_ tree: InspectionNode) throws(CommandFailure) {
    guard let (path, problem) = tree.firstProblem else { return }
    let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
    let count = tree.problemCount
    throw .verificationFailed(
      place + problem.description, hint: count == 1 ? nil : "\(count - 1) more in the tree")
  }
}

extension Inspection {
  /// The tree with the size and the form in its first line.
  fileprivate var titledTree: InspectionNode {
    var titled = tree
    let size = form == .text ? byteCount(bytes.count) : "\(byteCount(bytes.count)), from \(form.rawValue)"
    titled.note = [tree.note, size].compactMap { $0 }.joined(separator: ", ")
    return titled
  }
}

extension ArtifactKind {
  /// Behind how many bytes the CBOR begins, where the artifact is CBOR.
  fileprivate var cborStart: Int? {
    switch self {
    case .attestationObject, .coseKey, .cbor: 0
    case .ctapMessage: 1
    default: nil
    }
  }
}
