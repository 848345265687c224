// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyLoad

/// The options of `passkey load`.
struct LoadOptions: CommandArguments {
  static let specifications = [
    OptionSpecification(name: "--rate", value: .init(name: "N"), help: "start N operations a second (10)"),
    OptionSpecification(
      name: "--clients", value: .init(name: "N"), help: "let N clients operate, each waiting for its reply"),
    OptionSpecification(name: "--duration", value: .init(name: "TIME"), help: "measure for this long (10s)"),
    OptionSpecification(
      name: "--ramp", value: .init(name: "TIME"), help: "first raise the rate from 0 for this long, without measuring"),
    OptionSpecification(name: "--poisson", help: "start operations at random times, as independent users do"),
    OptionSpecification(
      name: "--mix", value: .init(name: "OPERATION=WEIGHT,…"), help: "the operations and their weights (sign-in=1)"),
    OptionSpecification(
      name: "--plan", value: .init(name: "FILE"), help: "read phases, mix and objectives from this file (JSON)"),
    OptionSpecification(
      name: "--accounts", value: .init(name: "N"), help: "create N accounts before the load (100)"),
    OptionSpecification(
      name: "--seed", value: .init(name: "TEXT"), help: "derive keys and names from this text (a random one)"),
    OptionSpecification(
      name: "--objective", value: .init(name: "OBJECTIVE"), isRepeatable: true,
      help: "fail unless the objective holds, such as p99<50ms"),
    OptionSpecification(
      name: "--fail-above", value: .init(name: "PERCENT"),
      help: "fail if more than this share of the operations fails, such as 5%; without it, only if all fail"),
    OptionSpecification(
      name: "--until-slo", value: .init(name: "OBJECTIVE"), isRepeatable: true,
      help: "search the highest rate or number of clients at which the objective holds, in steps of --duration"),
    OptionSpecification(
      name: "--max-rate", value: .init(name: "N"), help: "end the search at this rate or number of clients (100000)"),
    OptionSpecification(
      name: "--request", value: .init(name: "'METHOD PATH'"),
      help: "the request of request, and the action that step-up confirms (the profile's me)"),
    OptionSpecification(
      name: "--connections", value: .init(name: "N"), help: "run at most N operations at the same time (256)"),
    OptionSpecification(
      name: "--new-connections", help: "open a connection for every request; TLS sessions are resumed"),
    OptionSpecification(
      name: "--i-may-test", value: .init(name: "HOST"),
      help: "declare that you may load this host; not needed for this machine"),
    OptionSpecification(name: "--keep-accounts", help: "leave the accounts on the server"),
    OptionSpecification(
      name: "--reuse-accounts", help: "use the accounts that a run with the same --seed and --accounts has kept"),
    OptionSpecification(
      name: "--check-acknowledged",
      help: "after the load, check that every acknowledged account, session and sign-out is still in effect"),
    OptionSpecification(name: "--html", value: .init(name: "FILE"), help: "write a report with charts"),
    OptionSpecification(name: "--prometheus", value: .init(name: "FILE"), help: "write metrics for Prometheus"),
    OptionSpecification(
      name: "--histogram", value: .init(name: "FILE"), help: "write latencies of each second as an HdrHistogram log"),
  ]

  let server: ServerOptions
  let plan: LoadPlan
  /// Whether to search the highest rate at which the plan's objectives hold.
  let searches: Bool
  let highestLevel: Double
  let keepsAccounts: Bool
  let reusesAccounts: Bool
  let checksAcknowledged: Bool
  let asJSON: Bool
  let htmlPath: String?
  let prometheusPath: String?
  let histogramPath: String?

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    server = try ServerOptions(arguments, url: arguments.positionals[0])
    do {
      try Consent.demand(for: server, arguments)
    } catch {
      throw error.coded(LoadError.Code.consentMissing.rawValue)
    }
    searches = arguments.has("--until-slo")
    highestLevel = Double(try arguments.number("--max-rate") ?? 100_000)
    keepsAccounts = arguments.has("--keep-accounts")
    reusesAccounts = arguments.has("--reuse-accounts")
    checksAcknowledged = arguments.has("--check-acknowledged")
    asJSON = arguments.asksForJSON
    htmlPath = arguments["--html"]
    prometheusPath = arguments["--prometheus"]
    histogramPath = arguments["--histogram"]
    for path in [htmlPath, prometheusPath, histogramPath].compactMap({ $0 }) {
      try OutputFile.demandFolder(of: path)
    }
    if reusesAccounts, arguments["--seed"] == nil, arguments["--plan"] == nil {
      throw .usage("--reuse-accounts needs a seed", hint: "name that of the earlier run with --seed")
    }
    plan = try Self.plan(arguments)
  }
}
