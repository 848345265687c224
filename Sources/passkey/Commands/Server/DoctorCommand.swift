// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnTypes
internal import WireFormats

/// `passkey doctor`
enum DoctorCommand: ServerCommand {
  static let specification = CommandSpecification(
    name: "doctor",
    summary: "diagnose why sign-in fails",
    arguments: "[OPTION…] --server URL",
    discussion: [
      """
      Checks the vault, the connection to the server and its certificate, both clocks, the RP ID and the origin, the \
      algorithms, the documents under /.well-known/ and the server's health. Each line says ok, warning or fault, and \
      how to fix it. Changes nothing and creates no account.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.options + DeviceChoice.optionsForLooking + [.jsonLines, .help],
    examples: [
      .init(
        command: "passkey doctor --server https://raxx.app",
        meaning: "diagnose one server; the exit code is 7 if there is a fault")
    ])

  static func perform(_ options: PlainOptions, at server: LiveServer) async throws(CommandFailure) {
    var check = ServerCheck(server)
    await check.run()
    let findings =
      check.findings + [
        VaultCheck.finding(server.opener.choice.device, for: check.relyingPartyID?.text, of: server.options.user)
      ]
    try write(findings, asJSON: options.asJSON)
    let faults = findings.count { $0.verdict == .fault }
    guard faults == 0 else {
      throw .verificationFailed("\(faults) fault\(faults == 1 ? "" : "s") found")
    }
  }

  private static func write(_ findings: [Finding], asJSON: Bool) throws(CommandFailure) {
    guard asJSON else {
      let rows = findings.flatMap { (finding) in
        [[finding.verdict.rawValue, finding.subject, finding.words]]
          + (finding.hint.map { [["", "", "→ \($0)"]] } ?? [])
      }
      return try Output.write(TextTable(rows: rows, width: nil).text)
    }
    for finding in findings { try Output.writeObject(finding.write) }
  }
}
