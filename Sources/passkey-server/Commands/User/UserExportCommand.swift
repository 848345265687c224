// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import PasskeyService
internal import WireFormats

/// `passkey-server user export EMAIL`
enum UserExportCommand: Command {
  static let specification = CommandSpecification(
    name: "user export",
    summary: "export all personal data of an account's owner",
    arguments: "[OPTION…] EMAIL",
    discussion: [
      """
      For requests by letter: exports the same document that signed-in users can export themselves. Verify the \
      identity of the person first. The audit trail records the export.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: [
      OptionSpecification(
        name: "--output", value: .init(name: "FILE"),
        help: "write to this new file, readable only by you (standard output)")
    ] + Setting.storeOptions + [.help],
    examples: [
      .init(
        command: "passkey-server user export --output ada.json ada@raxx.app",
        meaning: "export Ada's data to a file")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let email = try Console.email(arguments.positionals[0])
    let path = arguments["--output"] ?? "-"
    // Check before the export is recorded in the audit chain.
    if path != "-", unsafe access(path, F_OK) == 0 {
      throw .inputOutput("a file exists at \(path.quotedForTerminal)")
    }
    let exported = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(email, by: .console).handle
      return try await store.service.export(handle, by: .console, in: context)
    }
    try OutputFile.write(exported.json + [UInt8(ascii: "\n")], to: path, isSecret: true)
    if path != "-" { Diagnostics.server.note("written to \(path.escapedForTerminal)") }
  }
}
