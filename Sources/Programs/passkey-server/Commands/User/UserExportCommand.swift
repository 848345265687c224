// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService

/// `passkey-server user export NAME`
enum UserExportCommand: Command {
  private static let output = Option(
    "--output", "FILE", help: "write to this new file, readable only by you (standard output)")

  static let specification = CommandSpecification(
    name: "user export",
    summary: "export all personal data of an account's owner",
    arguments: "[OPTION…] NAME",
    discussion: [
      """
      For requests by letter: exports the same document that signed-in users can export themselves. Verify the \
      identity of the person first. The audit trail records the export.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 1...1,
    options: [output] + Console.accountOptions,
    examples: [
      .init(
        command: "passkey-server user export --output ada.json ada@raxx.app",
        meaning: "export Ada's data to a file")
    ])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let name = try Console.name(arguments)
    let path = arguments[output] ?? "-"
    // Check before the export is recorded in the audit trail.
    try OutputFile.demandNew(path)
    let exported = try Console.use(arguments) { (store, context) async throws(ServiceError) in
      let handle = try await store.service.account(name, by: .console).handle
      return try await store.service.export(handle, by: .console, in: context)
    }
    try OutputFile.write(exported.json + [UInt8(ascii: "\n")], to: path, isSecret: true)
    guard path != "-" else { return }
    if arguments.asksForJSON { return try Output.writeObject { (object) in object.write("path", .string(path)) } }
    Diagnostics.server.note("written to \(path.escapedForTerminal)")
  }
}
