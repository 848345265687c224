// SPDX-License-Identifier: Apache-2.0

internal import PasskeyAudit
internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeyProfiles

/// `passkey audit learn FILE`
enum AuditLearnCommand: Command {
  private static let name = Option("--name", "NAME", help: "the name of the profile (learned)")
  private static let output = Option("--output", "FILE", help: "write the profile to this file (standard output)")

  static let specification = CommandSpecification(
    name: "audit learn",
    summary: "derive a profile from recorded requests",
    arguments: "[OPTION…] FILE|-",
    discussion: [
      """
      Reads a recording of one registration and one sign-in, and prints a profile for passkey audit. FILE is a HAR file, \
      which the developer tools of browsers export, with sensitive data, because it needs the names of cookies; commands \
      of curl in a text file, each followed by its output; or an OpenAPI document in JSON.
      """,
      """
      Notes on standard error list assumptions, and endpoints that the recording does not show. Read the profile before \
      you use it. Delete the recording afterwards: it contains cookies and tokens. The profile has none.
      """,
      """
      Exit codes: 0 done, 1 the recording cannot be read or has no sign-in, 2 invalid usage.
      """,
    ],
    positionalCount: 1...1,
    options: [name, output, .json, .help],
    examples: [
      .init(
        command: "passkey audit learn --name shop --output shop.json shop.har",
        meaning: "derive a profile from a browser's recording")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let recording = arguments.positionals[0]
    let name = arguments[Self.name] ?? "learned"
    guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "/") })
    else {
      throw .usage(
        "--name cannot be \(name.quotedForTerminal)", hint: "use a word of printable characters, without a slash")
    }
    let text = try InputFile.bytes(recording, limit: Recording.maximumByteCount)
    let learned = try mapError(LearnedProfile(Recording(text[...]), name: name)) { (error: ReportError) in
      CommandFailure.inputOutput(
        "\(InputFile.name(recording)): \(error.detail.escapedForTerminal)",
        hint: "record one registration and one sign-in; Lab/Documentation/Audit/Guide.md describes how"
      ).coded(error.code.rawValue)
    }
    if let output = arguments[output] { try OutputFile.write(learned.json, to: output) }
    if arguments.asksForJSON {
      try Output.write(try report(learned, withProfile: !arguments.has(output)))
    } else {
      if !arguments.has(output) { try Output.write(learned.json) }
      for note in learned.notes { Diagnostics.passkey.note(note.escapedForTerminal) }
    }
    try validate(learned)
  }

  private static func report(_ learned: LearnedProfile, withProfile: Bool) throws(CommandFailure) -> [UInt8] {
    let profile = withProfile ? try? JSON.parse(learned.json, maximumSize: Recording.maximumByteCount) : nil
    return JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("profile", profile.map { .value($0) } ?? .null)
      object.writeArray("endpoints") { (items) in
        for endpoint in learned.endpoints {
          items.writeObject { (item) in
            item.write("name", endpoint.name)
            item.write("route", endpoint.route)
          }
        }
      }
      object.writeArray("notes") { (notes) in for note in learned.notes { notes.write(note) } }
    } + [UInt8(ascii: "\n")]
  }

  /// Reports a derived profile that needs changes, such as a cookie whose name a profile cannot have.
  private static func validate(_ learned: LearnedProfile) throws(CommandFailure) {
    _ = try mapError(ServiceProfile(json: learned.json)) { (error: ProfileError) in
      CommandFailure.inputOutput(
        "the profile needs changes: \(error.description.escapedForTerminal)",
        hint: "edit it, then use it with --profile"
      ).coded(error.code.rawValue)
    }
  }
}
