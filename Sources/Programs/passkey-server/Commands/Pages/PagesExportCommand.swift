// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyPages

/// `passkey-server pages export FOLDER`
enum PagesExportCommand: Command {
  static let specification = CommandSpecification(
    name: "pages export",
    summary: "write the files of the web pages into a folder",
    arguments: "[OPTION…] FOLDER",
    discussion: [
      """
      Writes the pages, scripts, texts and icons of this release, as a start for a folder of --pages. Keep the files that you \
      change and delete the others, so that an upgrade brings their new versions. Existing files are not overwritten: \
      then nothing is written.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: [.json, .help],
    examples: [
      .init(command: "passkey-server pages export pages", meaning: "write the files into the folder pages")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let folder = arguments.positionals[0]
    let files = SitePages.files.sorted { $0.key < $1.key }
    try OutputFile.makeFolder(folder)
    for (name, _) in files { try OutputFile.demandNew("\(folder)/\(name)") }
    for (name, content) in files { try OutputFile.write(content, to: "\(folder)/\(name)") }
    if arguments.asksForJSON {
      return try Output.writeObject { (object) in
        object.write("path", .string(folder))
        object.write("files", .integer(files.count))
      }
    }
    Diagnostics.server.note("\(files.count) files written to \(folder.escapedForTerminal)")
  }
}
