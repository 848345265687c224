// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem

/// `passkey-server audit seal`
enum AuditSealCommand: Command {
  static let specification = CommandSpecification(
    name: "audit seal",
    summary: "seal a chain that has no seal, or was sealed with another secret",
    arguments: "[OPTION…]",
    discussion: [
      """
      Verifies the chain, records that the console sealed it, and seals its end with the secret. Use this after you \
      restore a trail whose history you trust: the seal vouches for the current records.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.storeOptions + [.json, .help],
    examples: [])

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    let head = try Console.open(arguments) { (store) async throws(CommandFailure) in
      let isLog = try await mapError(async: await store.service.auditLog() != nil, CommandFailure.init)
      guard !isLog else { throw .refused("the trail is a log: only a chain is sealed") }
      return try await mapError(async: await store.service.sealAudit(in: Console.context), CommandFailure.init)
    }
    if arguments.asksForJSON { return try Output.writeObject(head.write) }
    Diagnostics.server.note("sealed the trail at record \(head.sequence)")
  }
}
