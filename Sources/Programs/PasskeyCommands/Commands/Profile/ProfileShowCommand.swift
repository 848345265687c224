// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles

/// `passkey profile show NAME`
enum ProfileShowCommand: Command {
  static let specification = CommandSpecification(
    name: "profile show",
    summary: "print a built-in profile, to copy from",
    arguments: "[OPTION…] \(names.joined(separator: "|"))",
    discussion: [
      """
      Prints the document of a built-in profile. A profile that extends it needs only the members that differ.
      """,
      "Exit codes: 0 printed, 2 invalid usage.",
    ],
    positionalCount: 1...1,
    options: [.help],
    examples: [.init(command: "passkey profile show yapt >mine.json", meaning: "begin a profile of your own")],
    literals: names)

  private static let names = ServiceProfile.builtIn.map(\.name)

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = arguments.positionals[0]
    guard let document = ServiceProfile.document(ofBuiltIn: name) else {
      throw .usage(
        "there is no built-in profile \(name.quotedForTerminal)",
        hint: name.nearest(among: names).map { "did you mean \($0)?" } ?? "use \(names.joined(separator: ", "))")
    }
    try Output.write(document)
  }
}
