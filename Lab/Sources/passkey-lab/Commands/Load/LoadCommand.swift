// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeyLoad
internal import PasskeyProfiles
internal import WebAuthnClient

/// `passkey load URL`
enum LoadCommand: Command {
  static let specification = CommandSpecification(
    name: "load",
    summary: "measure how a server performs under load",
    arguments: "[OPTION…] URL",
    discussion: [
      """
      Creates accounts, performs real ceremonies as their users at a rate or with a number of clients, and reports rates, \
      latencies and errors. Deletes the accounts at the end, if the profile has erase-account. Their names begin with \
      passkey-load-. Ctrl-C ends the load and still reports; a second one leaves the accounts.
      """,
      """
      With --rate, operations start on schedule even while the server is slow, and latencies begin at the scheduled time. \
      With --clients, each client waits for its reply, so a slow server lowers the rate. Keys are derived from the seed, \
      and passkeys are signed directly: there is no vault.
      """,
      """
      A server on this machine needs no consent. For any other, --i-may-test declares that you are allowed to load it. \
      Rate limits of the server apply to one address: raise them on a test server. A note says when the server limits the \
      load (429).
      """,
      """
      An objective is METRIC<VALUE or METRIC<=VALUE, where METRIC is p50, p99.9, mean, max or errors, as in p99<50ms or errors<0.1%; an \
      operation in front limits it, as in sign-in:p99<50ms. Operations are register, sign-in, request, step-up, refresh \
      and sign-out. Lab/Documentation/Load.md describes plans and reports.
      """,
      """
      Exit codes: 0 done, 1 a file cannot be read or written, 2 invalid usage or no consent, 3 the network failed, 4 the \
      server created no account, 7 no operation succeeded, an objective or --fail-above does not hold, something \
      acknowledged was lost, or a search found no limit of the server, 130 Ctrl-C ended a search.
      """,
    ],
    positionalCount: 1...1,
    options: LoadOptions.specifications + ServerOptions.optionsBesideURL + [.json, .help],
    rareOptions: LoadOptions.rareSpecifications + ServerOptions.rareOptions,
    examples: [
      .init(
        command: "passkey load --rate 200 --duration 60s --objective 'p99<50ms' http://localhost:8080",
        meaning: "sign in 200 times a second for a minute; the exit code is 7 if 1 % take 50 ms or longer"),
      .init(
        command: "passkey load --until-slo 'p99<50ms' --html load.html http://localhost:8080",
        meaning: "find the highest rate at which the objective holds, and write a report"),
      .init(
        command: "passkey load --plan evening.json --i-may-test staging.example https://staging.example",
        meaning: "run a plan against your own server"),
    ])

  typealias Options = LoadOptions

  static func run(_ options: LoadOptions) throws(CommandFailure) {
    Interruption.begin()
    defer { Interruption.end() }
    let session: LoadCommandSession
    let report: LoadReport
    do throws(LoadError) {
      session = try LoadCommandSession(options)
      report = try session.run()
    } catch {
      throw failure(error, profile: options.server.profile.name)
    }
    try session.finish(report)
  }

  private static func failure(_ error: LoadError, profile: String) -> CommandFailure {
    let detail = error.detail.escapedForTerminal
    let failure: CommandFailure =
      switch error.code {
      case .consentMissing: .usage(detail, hint: "with the permission of the server's owner, add --i-may-test")
      case .invalidPlan:
        .usage("the plan is invalid: \(detail)", hint: "Lab/Documentation/Load.md describes plans")
      case .invalidObjective: .usage("an objective is invalid", hint: detail)
      case .endpointMissing: .usage(detail, hint: "leave the operation out with --mix, or use another profile")
      case .noAccounts where detail.hasPrefix("client."):
        .network("the server created no account: \(detail)", hint: "is it running?")
      case .noAccounts where detail.contains("origin-mismatch"):
        .refusedByServer("the server created no account: \(detail)", hint: "name its site with --rp-id or --origin")
      case .noAccounts where ["http.404", "http.405", "http.not-found", "http.method-not-allowed"].contains(detail):
        .refusedByServer(
          "the server created no account: \(detail)",
          hint: "check that \(profile.escapedForTerminal) is the server's profile (--profile)")
      case .noAccounts:
        .refusedByServer(
          "the server created no account: \(detail)",
          hint: "the server has to allow sign-up without a code, and many registrations from one address")
      case .addressUnverified, .noSession, .notStarted: .refusedByServer("no account can sign in", hint: detail)
      case .libraryUnusable: .inputOutput("the load cannot start: \(detail)", hint: "raise the limit of open files")
      }
    return failure.coded(error.code.rawValue)
  }
}
