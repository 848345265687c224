// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnClient
internal import WebAuthnTypes

/// `passkey doctor`
enum DoctorCommand: Command {
  static let specification = CommandSpecification(
    name: "doctor",
    summary: "diagnose why sign-in fails",
    arguments: "[OPTION…] --server URL|--device COMMAND|unix:PATH",
    discussion: [
      """
      Checks the vault, the connection to the server and its certificate, both clocks, the RP ID and the origin, the \
      algorithms, the documents under /.well-known/ and the server's health, and says which code performs ML-DSA. Each \
      line says ok, warning or fault, and how to fix it. Changes nothing and creates no account.
      """,
      """
      With --device, checks that device in place of the vault; without a server, nothing else. For a virtual USB key, \
      see passkey authenticator --uhid --check.
      """,
      ServerOptions.exitCodes,
    ],
    positionalCount: 0...0,
    options: ServerOptions.options + DeviceChoice.optionsForLooking + [.jsonLines, .help],
    rareOptions: ServerOptions.rareOptions.filter { (option) in option.name != DeviceChoice.device.name },
    examples: [
      .init(
        command: "passkey doctor --server https://raxx.app",
        meaning: "diagnose one server; the exit code is 7 if there is a fault"),
      .init(command: "passkey doctor --device unix:key.sock", meaning: "check a device at a Unix socket"),
    ])

  enum Options: CommandArguments {
    case server(DoctorOfServer.Options)
    case device(DeviceChoice, asJSON: Bool)

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      let namesServer = ServerOptions.namesServer(arguments) || Environment.value("PASSKEY_SERVER") != nil
      self =
        arguments.has(DeviceChoice.device) && !namesServer
        ? .device(try DeviceChoice(arguments), asJSON: arguments.asksForJSON)
        : .server(try DoctorOfServer.Options(arguments))
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    switch options {
    case .server(let options): try DoctorOfServer.run(options)
    case .device(let choice, let asJSON):
      try Blocking.wait { () async throws(CommandFailure) in
        try conclude([await DeviceCheck.finding(choice)], asJSON: asJSON)
      }
    }
  }

  /// Prints the findings. A fault is a failure.
  fileprivate static func conclude(_ findings: [Finding], asJSON: Bool) throws(CommandFailure) {
    try write(findings, asJSON: asJSON)
    let faults = findings.count { $0.verdict == .fault }
    guard faults == 0 else {
      throw .verificationFailed("\(faults) fault\(faults == 1 ? "" : "s") found")
    }
  }

  private static func write(_ findings: [Finding], asJSON: Bool) throws(CommandFailure) {
    guard asJSON else {
      let rows = findings.flatMap { (finding) in
        [[finding.verdict.rawValue, finding.subject, finding.message]]
          + (finding.advice.map { [["", "", "→ \($0)"]] } ?? [])
      }
      return try Output.write(TextTable(rows: rows, width: nil).text)
    }
    for finding in findings {
      try Output.writeObject { (object) in
        object.write("subject", .string(finding.subject))
        object.write("verdict", .string(finding.verdict.rawValue))
        object.write("message", .string(finding.message))
        object.write("hint", .text(finding.advice))
      }
    }
  }
}

/// `passkey doctor --server URL`
enum DoctorOfServer: ServerCommand {
  static let specification = DoctorCommand.specification

  static func perform(_ arguments: ParsedArguments, at server: LiveServer) async throws(CommandFailure) {
    var diagnosis = ServerDiagnosis(
      server.handshake, origin: server.options.origin, expecting: server.options.relyingPartyID,
      settings: server.options.http, now: Clock.now
    ) { (error) in
      let failure = CommandFailure(error)
      return (failure.message, failure.hint)
    }
    await diagnosis.run()
    let choice = server.opener.choice
    let device =
      if case .external = choice.device {
        await DeviceCheck.finding(choice)
      } else {
        VaultCheck.finding(choice.device, for: diagnosis.relyingPartyID?.text, of: server.options.user)
      }
    try DoctorCommand.conclude(diagnosis.findings + [.mlDSA, device], asJSON: arguments.asksForJSON)
  }
}

extension Finding {
  /// The code that signs and verifies with ML-DSA.
  fileprivate static var mlDSA: Finding {
    switch MLDSAImplementation.current {
    case .libcrypto: .ok("ml-dsa", "by libcrypto")
    case .builtIn: .ok("ml-dsa", "built in, because this libcrypto (before 3.5) has none")
    }
  }

  /// The hint, with the option that changes the setting.
  fileprivate var advice: String? {
    switch setting {
    case .profile?: hint.map { "\($0) (--profile)" }
    case .origin?: hint.map { "\($0) (--origin)" }
    case nil: hint
    }
  }
}
