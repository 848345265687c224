// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnVectors

/// `passkey vectors generate SET`
enum GenerateVectorsCommand: Command {
  private static let output = Option(
    "--output", "FOLDER", help: "write the files to this folder (Vectors, or the set's own folder in it)")

  static let specification = CommandSpecification(
    name: "vectors generate",
    summary: "generate test vectors reproducibly",
    arguments: "[OPTION…] ours|w3c|fido",
    discussion: [
      """
      ours: the project's own test vectors (format webauthn-vectors/1): ceremonies of every attestation format and \
      algorithm that must be accepted, and one for each way to fail. All random values are derived from the scenario \
      names, so every run writes the same bytes.
      """,
      """
      w3c: the test vectors of WebAuthn Level 3, made by our authenticator from the random values that the standard \
      derives: 15 registrations and sign-ins, one file each, and prf/ctap2.json with the outputs of the prf extension.
      """,
      """
      fido: the identifiers of FIDO's server tests with our cases and their expected outcomes, and the metadata that a \
      server needs for them.
      """,
      "Exit codes: 0 the files are written, 1 a file cannot be written, 2 invalid usage.",
    ],
    positionalCount: 1...1,
    options: [output, .jsonLines, .help],
    examples: [
      .init(command: "passkey vectors generate ours", meaning: "regenerate the vectors of a checkout"),
      .init(
        command: "passkey vectors generate ours --output /tmp/vectors && passkey verify /tmp/vectors/*.json",
        meaning: "generate vectors in another folder and verify them"),
      .init(command: "passkey vectors generate w3c", meaning: "generate the vectors of the standard"),
      .init(
        command: "passkey vectors generate fido --output fido",
        meaning: "write the metadata for a server that passkey vectors fido tests"),
    ])

  struct Options: CommandArguments {
    fileprivate let set: VectorSet
    fileprivate let folder: String
    fileprivate let asJSON: Bool

    fileprivate enum VectorSet: String {
      case ours, w3c, fido

      /// The folder in a checkout.
      var folder: String { self == .ours ? "Vectors" : "Vectors/\(rawValue)" }
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      let name = arguments.positionals[0]
      guard let set = VectorSet(rawValue: name) else {
        throw .usage("there are no vectors named \(name.quotedForTerminal)", hint: "use ours, w3c or fido")
      }
      self.set = set
      folder = arguments[output] ?? set.folder
      asJSON = arguments.asksForJSON
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    switch options.set {
    case .ours: try generateOurs(options)
    case .w3c: try generateW3C(options)
    case .fido: try generateFIDO(options)
    }
  }

  private static func generateOurs(_ options: Options) throws(CommandFailure) {
    let folder = options.folder
    try OutputFile.makeFolder(folder)
    for file in VectorFile.all {
      let text = try mapError(file.text()) { (error: PasskeyCryptoError) in failure(file.topic, error) }
      try write(text, to: "\(folder)/\(file.topic).json", file.caseCount, "cases", options)
    }
  }

  private static func generateW3C(_ options: Options) throws(CommandFailure) {
    let folder = options.folder
    try OutputFile.makeFolder(folder)
    for file in W3CFile.all {
      let name = file.name
      let text = try made(name) { () async throws(PasskeyCryptoError) in try await file.text() }
      try write(text, to: "\(folder)/\(name).json", 2, "cases", options)
    }
    // In a separate folder, because these vectors are not test cases.
    try OutputFile.makeFolder("\(folder)/prf")
    let text = try made("prf") { () async throws(PasskeyCryptoError) in try await W3CPRF.text() }
    try write(text, to: "\(folder)/prf/ctap2.json", W3CPRF.all.count, "vectors", options)
  }

  private static func generateFIDO(_ options: Options) throws(CommandFailure) {
    let folder = options.folder
    try OutputFile.makeFolder(folder)
    let count = FIDOSuite.all.reduce(0) { $0 + $1.tests.count }
    try write(FIDOLedger.text, to: "\(folder)/\(FIDOLedger.name)", count, "cases", options)
    let metadata = try mapError(FIDOMetadata()) { (error: PasskeyCryptoError) in failure("metadata", error) }
    try OutputFile.makeFolder("\(folder)/metadata")
    for file in metadata.files { try OutputFile.write(file.bytes, to: "\(folder)/metadata/\(file.name)") }
    try report("\(folder)/metadata", metadata.files.count, "files", options)
  }

  private static func made(
    _ name: String, _ make: @escaping @Sendable () async throws(PasskeyCryptoError) -> [UInt8]
  ) throws(CommandFailure) -> [UInt8] {
    try Blocking.wait { () async throws(CommandFailure) in
      try await mapError(async: await make()) { (error: PasskeyCryptoError) in failure(name, error) }
    }
  }

  private static func write(
    _ text: [UInt8], to path: String, _ count: Int, _ unit: String, _ options: Options
  ) throws(CommandFailure) {
    try OutputFile.write(text, to: path)
    try report(path, count, unit, options)
  }

  private static func report(
    _ path: String, _ count: Int, _ unit: String, _ options: Options
  ) throws(CommandFailure) {
    guard options.asJSON else { return try Output.write("\(path.escapedForTerminal): \(count) \(unit)\n") }
    try Output.writeObject { (object) in
      object.write("path", .string(path))
      object.write(unit, .integer(count))
    }
  }

  private static func failure(_ name: String, _ error: PasskeyCryptoError) -> CommandFailure {
    .verificationFailed("cannot generate \(name): \(error)")
  }
}
