// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnVectors
internal import WireFormats

/// `passkey vectors generate SET`
enum GenerateVectorsCommand: Command {
  static let specification = CommandSpecification(
    name: "vectors generate",
    summary: "generate test vectors reproducibly",
    arguments: "[OPTION…] ours|w3c",
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
      "Exit codes: 0 the files are written, 1 a file cannot be written, 2 invalid usage.",
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(
        name: "--output", value: .init(name: "FOLDER"),
        help: "write the files to this folder (Vectors, or Vectors/w3c)"),
      .help,
    ],
    examples: [
      .init(command: "passkey vectors generate ours", meaning: "regenerate the vectors of a checkout"),
      .init(
        command: "passkey vectors generate ours --output /tmp/vectors && passkey verify /tmp/vectors/*.json",
        meaning: "generate vectors in another folder and verify them"),
      .init(command: "passkey vectors generate w3c", meaning: "generate the vectors of the standard"),
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    switch arguments.positionals.first {
    case "ours": try generateOurs(into: arguments["--output"] ?? "Vectors")
    case "w3c": try generateW3C(into: arguments["--output"] ?? "Vectors/w3c")
    case let name:
      throw .usage(
        "there are no vectors named \((name ?? "").quotedForTerminal)", hint: "use ours or w3c")
    }
  }

  private static func generateOurs(into folder: String) throws(CommandFailure) {
    try OutputFile.makeFolder(folder)
    for file in VectorFile.all {
      let text: [UInt8]
      do throws(CryptoError) {
        text = try file.text()
      } catch {
        throw failure(file.topic, error)
      }
      try write(text, to: "\(folder)/\(file.topic).json", "\(file.caseCount) cases")
    }
  }

  private static func generateW3C(into folder: String) throws(CommandFailure) {
    try OutputFile.makeFolder(folder)
    for file in W3CFile.all {
      let name = file.name
      let text = try made(name) { () async throws(CryptoError) in try await file.text() }
      try write(text, to: "\(folder)/\(name).json", "2 cases")
    }
    // In a separate folder, because these vectors are not test cases.
    try OutputFile.makeFolder("\(folder)/prf")
    let text = try made("prf") { () async throws(CryptoError) in try await W3CPRF.text() }
    try write(text, to: "\(folder)/prf/ctap2.json", "\(W3CPRF.all.count) vectors")
  }

  private static func made(
    _ name: String, _ make: @escaping @Sendable () async throws(CryptoError) -> [UInt8]
  ) throws(CommandFailure) -> [UInt8] {
    try Blocking.wait { () async throws(CommandFailure) in
      do throws(CryptoError) {
        return try await make()
      } catch {
        throw failure(name, error)
      }
    }
  }

  private static func write(_ text: [UInt8], to path: String, _ content: String) throws(CommandFailure) {
    try OutputFile.write(text, to: path)
    try Output.write("\(path.escapedForTerminal): \(content)\n")
  }

  private static func failure(_ name: String, _ error: CryptoError) -> CommandFailure {
    .verificationFailed("cannot generate \(name): \(error)")
  }
}
