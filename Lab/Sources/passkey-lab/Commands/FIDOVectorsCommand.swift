// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import WebAuthnClient
internal import WebAuthnVectors

/// `passkey vectors fido`
enum FIDOVectorsCommand: Command {
  private static let server = Option(
    "--server", "URL", help: "test the server at this address (our own, in this process)")
  private static let origin = Option("--origin", "URL", help: "the origin of the server's pages (the server's)")
  private static let reasons = Option(
    "--reasons", help: "require the code and step of each refusal, as Examples/ConformanceServer reports them")
  private static let markdown = Option("--markdown", help: "print the table of Lab/Documentation/FIDOServerTests.md")

  static let specification = CommandSpecification(
    name: "vectors fido",
    summary: "play FIDO's server tests with our device",
    arguments: "[OPTION…]",
    discussion: [
      """
      Plays our case for each of the \(FIDOSuite.all.reduce(0) { $0 + $1.tests.count }) server tests of FIDO's \
      conformance tool \(FIDOLedger.tool), by the identifiers that others published. Nothing of the tool is used, and \
      a pass is no certification.
      """,
      """
      The server needs the endpoints /attestation/options, /attestation/result, /assertion/options and \
      /assertion/result of FIDO's interface, and the metadata that passkey vectors generate fido writes. Each run \
      registers new names and deletes nothing: use a test server. A URL outside this machine needs --i-may-test. \
      Without --server, a relying party of our library runs in this process, and each refusal must have the expected \
      code and step.
      """,
      """
      A test whose algorithm the server does not offer is not run. A status from 500 up is no refusal.
      """,
      """
      Exit codes: 0 every test passed, 1 the output cannot be written, 2 invalid usage, 3 the network failed, 7 a test \
      failed.
      """,
    ],
    positionalCount: 0...0,
    options: [server, Consent.option, origin, reasons, markdown, .jsonLines, .help],
    examples: [
      .init(command: "passkey vectors fido", meaning: "test our library"),
      .init(
        command: "passkey vectors fido --server http://localhost:8080", meaning: "test a server on this machine"),
    ])

  struct Options: CommandArguments {
    fileprivate let server: ServerAddress?
    fileprivate let origin: String?
    fileprivate let pinsReasons: Bool
    fileprivate let format: Format

    fileprivate enum Format {
      case text, json, markdown
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      if let text = arguments[FIDOVectorsCommand.server] {
        let address = try mapError(ServerAddress(text)) { (error: ClientError) in
          CommandFailure.usage("--server cannot be \(text.quotedForTerminal)", hint: error.detail ?? error.summary)
        }
        try Consent.demand(for: address, isRedirected: false, arguments)
        server = address
      } else {
        server = nil
      }
      origin = arguments[FIDOVectorsCommand.origin]
      pinsReasons = arguments[reasons]
      guard server != nil || (origin == nil && !pinsReasons && arguments[Consent.option] == nil) else {
        throw .usage(
          "--i-may-test, --origin and --reasons need --server", hint: "without a server, reasons are always required")
      }
      switch (arguments[markdown], arguments.asksForJSON) {
      case (true, true): throw .usage("--markdown and --json cannot be combined", hint: "omit one of them")
      case (true, false): format = .markdown
      case (false, let asJSON): format = asJSON ? .json : .text
      }
    }
  }

  static func run(_ options: Options) throws(CommandFailure) {
    let results = try Blocking.wait(untilInterrupted: true) { () async throws(CommandFailure) -> FIDOResults in
      guard let server = options.server else { return try await playInProcess() }
      do throws(ClientError) {
        return try await play(server, options)
      } catch {
        throw CommandFailure(error)
      }
    }
    switch options.format {
    case .text: try Output.write(results.text)
    case .json: for result in results.all { try Output.writeObject { result.write(into: &$0) } }
    case .markdown: try Output.write(results.markdown)
    }
    guard results.failed.isEmpty else {
      throw .verificationFailed("\(results.failed.count) of \(results.all.count) tests failed")
    }
  }

  private static func playInProcess() async throws(CommandFailure) -> FIDOResults {
    do {
      return try await FIDOResults.inProcess(at: Clock.now)
    } catch {
      throw .verificationFailed("cannot make the metadata: \(error)")
    }
  }

  private static func play(_ server: ServerAddress, _ options: Options) async throws(ClientError) -> FIDOResults {
    let http = HTTPSession(server: server)
    let player = FIDOPlayer<ClientError>(
      origin: options.origin ?? server.origin.text, run: "passkey-\(Clock.now.secondsSince1970)",
      pinsReasons: options.pinsReasons
    ) { (path, body) async throws(ClientError) in
      let reply = try await http.send(ServerRequest("POST", path, json: body))
      return FIDOReply(status: reply.status, body: reply.body)
    }
    let results: FIDOResults
    do throws(ClientError) {
      results = try await player.playAll()
    } catch {
      await http.close()
      throw error
    }
    await http.close()
    return results
  }
}
