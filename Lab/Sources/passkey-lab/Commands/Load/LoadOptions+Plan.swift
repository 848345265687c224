// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyLoad

extension LoadOptions {
  /// Returns the plan of `--plan`, changed by the other options.
  static func plan(_ arguments: ParsedArguments) throws(CommandFailure) -> LoadPlan {
    var plan = LoadPlan()
    if let path = arguments[Self.plan] {
      let text = try InputFile.bytes(path)
      plan = try mapError(LoadPlan(json: text[...])) { (error: LoadError) in
        invalid(error.code == .invalidObjective ? "an objective of the plan is" : "the plan is", error)
      }
    }
    try change(&plan, arguments)
    try mapError(plan.check()) { (error: LoadError) in
      invalid(arguments.has(Self.plan) ? "the plan is" : "the options are", error)
    }
    return plan
  }

  private static func invalid(_ subject: String, _ error: LoadError) -> CommandFailure {
    .usage(
      "\(subject) invalid: \(error.detail.escapedForTerminal)", hint: "Lab/Documentation/Load.md describes plans"
    ).coded(error.code.rawValue)
  }

  private static func change(_ plan: inout LoadPlan, _ arguments: ParsedArguments) throws(CommandFailure) {
    let (rate, clients) = (try level(arguments, Self.rate), try level(arguments, Self.clients))
    if rate != nil, clients != nil {
      throw .usage("--rate and --clients cannot be combined", hint: "use only one of them")
    }
    if clients != nil { plan.model = .closed }
    if rate != nil { plan.model = .open }
    let level = rate ?? clients
    let seconds = try self.seconds(arguments, Self.duration)
    let ramp = try self.seconds(arguments, Self.ramp)
    if level != nil || seconds != nil || ramp != nil {
      let last = plan.phases.last ?? .init(from: 10, to: 10, seconds: 10)
      let level = level ?? last.to
      plan.phases = [.init(from: level, to: level, seconds: seconds ?? last.seconds)]
      if let ramp { plan.phases.insert(.init(from: 0, to: level, seconds: ramp, isMeasured: false), at: 0) }
    }
    if arguments[Self.poisson] { plan.arrivals = .poisson }
    if let mix = arguments[Self.mix] { plan.mix = try shares(mix) }
    if let count = try count(arguments, Self.accounts, LoadPlan.maximumAccountCount) { plan.accountCount = count }
    if let count = try count(arguments, Self.connections, LoadPlan.maximumConcurrency) {
      plan.maximumConcurrency = count
    }
    if arguments[Self.newConnections] { plan.keepsConnections = false }
    if let request = arguments[Self.request] { plan.request = try self.request(request) }
    for option in [Self.objective, Self.untilSLO] {
      for text in arguments[option] { plan.objectives.append(try objective(text, option.name)) }
    }
    if let share = arguments[Self.failAbove] {
      guard let objective = try? Objective("errors<=\(share)") else {
        throw invalid("--fail-above", share, hint: "write a percentage, such as 5% or 0.1%")
      }
      plan.objectives.append(objective)
    }
    plan.keepsHistograms = arguments.has(Self.histogram)
    if let seed = arguments[Self.seed] { plan.seed = seed }
    if plan.seed.isEmpty { plan.seed = Hex.encode((try? RandomSource.system.bytes(8)) ?? []) }
  }

  private static func level(
    _ arguments: ParsedArguments, _ option: Option<String?>
  ) throws(CommandFailure) -> Double? {
    guard let text = arguments[option] else { return nil }
    guard let number = Double(text), number > 0, number <= LoadPlan.maximumLevel else {
      throw invalid(option.name, text, hint: "write a number above 0 and up to \(LoadPlan.maximumLevel.fixed(0))")
    }
    return number
  }

  private static func count(
    _ arguments: ParsedArguments, _ option: Option<String?>, _ maximum: Int
  ) throws(CommandFailure) -> Int? {
    guard let text = arguments[option] else { return nil }
    guard let number = Double(text).flatMap({ Int(exactly: $0) }), 1...maximum ~= number else {
      throw invalid(option.name, text, hint: "write a whole number from 1 to \(maximum)")
    }
    return number
  }

  private static func seconds(
    _ arguments: ParsedArguments, _ option: Option<Duration?>
  ) throws(CommandFailure) -> Double? {
    guard let duration = arguments[option] else { return nil }
    let seconds = Double(duration.components.seconds)
    guard seconds <= LoadPlan.maximumSeconds else {
      let text = arguments.texts(of: option).first ?? ""
      throw invalid(option.name, text, hint: "write a duration up to 7d")
    }
    return seconds
  }

  private static func shares(_ text: String) throws(CommandFailure) -> [LoadPlan.Share] {
    let failure = invalid(
      "--mix", text, hint: "write operations and weights, each operation once, as sign-in=8,request=2")
    let shares = try text.split(separator: ",").map { (part) throws(CommandFailure) in
      let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard let operation = sides.first.flatMap(LoadOperation.init(rawValue:)), sides.count <= 2,
        let weight = sides.count == 2 ? Double(sides[1]) : 1, 0...1e6 ~= weight
      else { throw failure }
      return LoadPlan.Share(operation, weight)
    }
    guard shares.contains(where: { $0.weight > 0 }), Set(shares.map(\.operation)).count == shares.count else {
      throw failure
    }
    return shares
  }

  private static func request(_ text: String) throws(CommandFailure) -> LoadPlan.Request {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, words[0].allSatisfy({ $0.isLetter && $0.isUppercase }), words[1].hasPrefix("/") else {
      throw invalid("--request", text, hint: "write a method and a path as one argument, as 'GET /api/portfolio'")
    }
    return .init(method: words[0], path: words[1])
  }

  private static func objective(_ text: String, _ name: String) throws(CommandFailure) -> Objective {
    try mapError(Objective(text)) { (error: LoadError) in
      invalid(name, text, hint: error.detail).coded(error.code.rawValue)
    }
  }

  private static func invalid(_ name: String, _ text: String, hint: String) -> CommandFailure {
    .usage("\(name) cannot be \(text.quotedForTerminal)", hint: hint)
  }
}
