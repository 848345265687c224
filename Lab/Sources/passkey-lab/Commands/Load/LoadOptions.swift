// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyLoad

/// The options of `passkey load`.
struct LoadOptions: CommandArguments {
  static let rate = Option("--rate", "N", help: "start N operations a second (10)")
  static let clients = Option("--clients", "N", help: "let N clients operate, each waiting for its reply")
  static let duration = Option<Duration?>("--duration", "TIME", help: "measure for this long (10s)")
  static let ramp = Option<Duration?>(
    "--ramp", "TIME", help: "first raise the rate from 0 for this long, without measuring")
  static let poisson = Option("--poisson", help: "start operations at random times, as independent users do")
  static let mix = Option("--mix", "OPERATION=WEIGHT,…", help: "the operations and their weights (sign-in=1)")
  static let plan = Option("--plan", "FILE", help: "read phases, mix and objectives from this file (JSON)")
  static let accounts = Option("--accounts", "N", help: "create N accounts before the load (100)")
  static let seed = Option("--seed", "TEXT", help: "derive keys and names from this text (a random one)")
  static let objective = Option<[String]>(
    "--objective", "OBJECTIVE",
    help: "fail unless the objective holds, such as p99<50ms")
  static let failAbove = Option(
    "--fail-above", "PERCENT",
    help: "fail if more than this share of the operations fails, such as 5%; without it, only if all fail")
  static let untilSLO = Option<[String]>(
    "--until-slo", "OBJECTIVE",
    help: "search the highest rate or number of clients at which the objective holds, in steps of --duration")
  static let maxRate = Option<UInt64?>(
    "--max-rate", "N",
    help: "end the search at this rate or number of clients (100000)")
  static let request = Option(
    "--request", "'METHOD PATH'",
    help: "the request of request, and the action that step-up confirms (the profile's me)")
  static let connections = Option("--connections", "N", help: "run at most N operations at the same time (256)")
  static let newConnections = Option(
    "--new-connections", help: "open a connection for every request; TLS sessions are resumed")
  static let consent = Consent.option.described(
    "declare that you may load this host; not needed for this machine")
  static let keepAccounts = Option("--keep-accounts", help: "leave the accounts on the server")
  static let reuseAccounts = Option(
    "--reuse-accounts",
    help: "use the accounts that a run with the same --seed and --accounts has kept")
  static let checkAcknowledged = Option(
    "--check-acknowledged",
    help: "after the load, check that every acknowledged account, session and sign-out is still in effect")
  static let html = Option("--html", "FILE", help: "write a report with charts")
  static let prometheus = Option("--prometheus", "FILE", help: "write metrics for Prometheus")
  static let histogram = Option(
    "--histogram", "FILE", help: "write latencies of each second as an HdrHistogram log")

  static let specifications: [any OptionSpecification] = [
    rate, clients, duration, ramp, poisson, mix, plan, accounts, seed, objective, failAbove, untilSLO, maxRate, request,
    connections, newConnections, consent, keepAccounts, reuseAccounts, checkAcknowledged, html, prometheus, histogram,
  ]

  /// The options that few people need.
  static let rareSpecifications: [any OptionSpecification] = [
    ramp, poisson, plan, seed, failAbove, untilSLO, maxRate, request, connections, newConnections, keepAccounts,
    reuseAccounts, checkAcknowledged, prometheus, histogram,
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
    searches = arguments.has(Self.untilSLO)
    highestLevel = Double(arguments[Self.maxRate] ?? 100_000)
    keepsAccounts = arguments[Self.keepAccounts]
    reusesAccounts = arguments[Self.reuseAccounts]
    checksAcknowledged = arguments[Self.checkAcknowledged]
    asJSON = arguments.asksForJSON
    htmlPath = arguments[Self.html]
    prometheusPath = arguments[Self.prometheus]
    histogramPath = arguments[Self.histogram]
    for path in [htmlPath, prometheusPath, histogramPath].compactMap({ $0 }) {
      try OutputFile.demandFolder(of: path)
    }
    if reusesAccounts, arguments[Self.seed] == nil, arguments[Self.plan] == nil {
      throw .usage("--reuse-accounts needs a seed", hint: "name that of the earlier run with --seed")
    }
    plan = try Self.plan(arguments)
  }
}
