// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnTypes

/// `passkey-server attestation review`
enum AttestationReviewCommand: Command {
  private static let notify = Option(
    "--notify", help: "record an event for each passkey, so that its owner is notified")
  private static let disable = Option("--disable", help: "disable the passkeys and end the sessions of their accounts")

  static let specification = CommandSpecification(
    name: "attestation review",
    summary: "list passkeys whose attestation the settings now refuse",
    arguments: "[OPTION…]",
    discussion: [
      """
      Verifies the stored attestation of every passkey again, with the settings and the current metadata: a model may \
      have been revoked, denied or found vulnerable since the passkey was registered. Certificates count as of the \
      registration. Takes about a millisecond for each passkey.
      """,
      """
      --notify records an event of which the owner is notified. --disable disables the passkeys and ends all sessions \
      of their accounts; an owner without another passkey then needs a recovery code. Both need the same settings as \
      the server.
      """,
      ExitCode.paragraph,
    ],
    positionalCount: 0...0,
    options: Setting.allOptions + [notify, disable, .jsonLines, .help],
    examples: [
      .init(
        command: "passkey-server attestation review --config server.json",
        meaning: "list passkeys of revoked models and others that the settings refuse")
    ])

  private struct Line: Sendable {
    let name: String
    let refused: RefusedPasskey
    let model: String
  }

  static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
    guard !arguments[notify] || !arguments[disable] else {
      throw .usage("--notify and --disable exclude each other", hint: "owners of disabled passkeys are notified too")
    }
    let action: RefusedPasskey.Action? = arguments[disable] ? .disable : arguments[notify] ? .notify : nil
    let settings = try ServerConfiguration(arguments).attestation
    let (lines, count) = try Console.open(arguments) { (store) async throws(CommandFailure) in
      let service = store.service
      try await AttestationKeeper(settings) { service.replaceAttestationPolicy($0) }.load()
      return try await mapError(async: await review(service, action), CommandFailure.init)
    }
    if arguments.asksForJSON {
      for line in lines { try write(line) }
    } else if lines.isEmpty {
      Diagnostics.server.note("the settings accept the attestation of all \(count) passkeys")
    } else {
      let rows = [["name", "model", "reason", "id"]] + lines.map(row)
      try Output.write(TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text)
      Diagnostics.server.note("\(lines.count) of \(count) passkeys are refused\(action.map { ", \($0.done)" } ?? "")")
    }
  }

  private static func review(
    _ service: AuthService, _ action: RefusedPasskey.Action?
  ) async throws(ServiceError) -> (lines: [Line], count: Int) {
    var (lines, count, last): ([Line], Int, CredentialID?) = ([], 0, nil)
    repeat {
      let page = try await service.reviewAttestation(after: last, by: .console, in: Console.context)
      for refused in page.refused {
        if let action { try await service.act(on: refused, action, by: .console, in: Console.context) }
        let model = service.providerName(of: refused.passkey.aaguid) ?? "\(refused.passkey.aaguid)"
        lines.append(Line(name: refused.account.name, refused: refused, model: model))
      }
      (count, last) = (count + page.count, page.last)
    } while last != nil
    return (lines, count)
  }

  private static func row(_ line: Line) -> [String] {
    [line.name, line.model, line.refused.code, "\(line.refused.passkey.record.id)"].map(\.escapedForTerminal)
  }

  private static func write(_ line: Line) throws(CommandFailure) {
    try Output.writeObject { (object) in
      object.write("user", .string(line.name))
      object.write("id", .base64URL(line.refused.passkey.record.id.bytes))
      object.write("aaguid", .string("\(line.refused.passkey.aaguid)"))
      object.write("model", .string(line.model))
      object.write("reason", .string(line.refused.code))
      object.write("disabled", .bool(line.refused.passkey.isDisabled))
    }
  }
}

extension RefusedPasskey.Action {
  fileprivate var done: String {
    switch self {
    case .notify: "and their owners are notified"
    case .disable: "and disabled"
    }
  }
}

extension CommandGroup {
  static let attestation = Self(
    name: "attestation", summary: "review the attestation of stored passkeys", discussion: [],
    members: [AttestationReviewCommand.self])
}
