// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// `passkey vectors generate SET`
enum GenerateVectorsCommand: Command {
  static let specification = CommandSpecification(
    name: "vectors generate",
    summary: "make test vectors anew, the same bytes each time",
    arguments: "[OPTION…] ours",
    discussion: [
      """
      Makes the project's own test vectors (the format webauthn-vectors/1): ceremonies of every attestation format and \
      algorithm that must be accepted, and one for each way in which they can be wrong. All that is random in them is \
      derived from the names of the scenarios, so that anybody makes the same files.
      """,
      """
      Exit codes: 0 the files are written, 1 a file cannot be written, 2 the command line is not understood.
      """,
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(
        name: "--output", value: .init(name: "FOLDER"), help: "write the files there, and not into the folder Vectors"),
      .help,
    ],
    examples: [
      .init(command: "passkey vectors generate ours", meaning: "make the files of a checkout anew"),
      .init(
        command: "passkey vectors generate ours --output /tmp/vectors && passkey verify /tmp/vectors/*.json",
        meaning: "make them elsewhere, and judge them"),
    ])

  private static let ours = "ours"

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard let name = arguments.positionals.first, name == ours else {
      throw .usage(
        "there are no vectors \((arguments.positionals.first ?? "").quotedForTerminal)", hint: "the vectors are: ours")
    }
    let folder = arguments["--output"] ?? "Vectors"
    try OutputFile.makeFolder(folder)
    for file in VectorFile.all {
      let path = "\(folder)/\(file.topic).json"
      try OutputFile.write(try text(of: file), to: path)
      try Output.write("\(path.escapedForTerminal): \(file.scenarios.count) cases\n")
    }
  }

  private static func text(of file: VectorFile) throws(CommandFailure) -> [UInt8] {
    do throws(CryptoError) {
      return try file.text()
    } catch {
      throw .verificationFailed("\(file.topic) cannot be made: \(error)")
    }
  }
}
