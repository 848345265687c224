// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import PasskeyService
internal import WireFormats

/// `passkey-server user export EMAIL`
enum UserExportCommand: Command {
  static let specification = CommandSpecification(
    name: "user export",
    summary: "write everything that there is about an account's owner",
    arguments: "[OPTION…] EMAIL",
    discussion: [
      "For whoever asks by letter: the document is the one that they would be given when they are signed in. Be sure who asks. That it was taken is in the audit trail.",
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(
        name: "--output", value: .init(name: "FILE"),
        help: "write to this file, readable only by you (standard output); it must not be there yet")
    ] + Setting.storeOptions + [.help],
    examples: [
      .init(
        command: "passkey-server user export --output ada.json ada@raxx.app",
        meaning: "what Ada has asked for, in a file")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    let path = arguments["--output"] ?? "-"
    // Check before the export is recorded in the audit chain.
    if path != "-", unsafe access(path, F_OK) == 0 {
      throw .inputOutput("there is a file at \(path.quotedForTerminal)")
    }
    let exported = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(email, by: .console).handle
      return try await store.service.export(handle, by: .console, in: context)
    }
    try OutputFile.write(exported.json + [UInt8(ascii: "\n")], to: path, isSecret: true)
    if path != "-" { Diagnostics.server.note("written to \(path.escapedForTerminal)") }
  }
}
