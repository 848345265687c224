// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyLoad
internal import SystemCrypto
internal import WireFormats

extension LoadOptions {
  /// Returns the plan of `--plan`, changed by the other options.
  static func plan(_ arguments: ParsedArguments) throws(CommandFailure) -> LoadPlan {
    let text = try arguments["--plan"].map { (path) throws(CommandFailure) in try InputFile.bytes(path) }
    do throws(LoadError) {
      var plan = try text.map { (text) throws(LoadError) in try LoadPlan(json: text[...]) } ?? LoadPlan()
      try change(&plan, arguments)
      try plan.check()
      return plan
    } catch {
      let what = error.code == .invalidObjective ? "an objective" : "the plan"
      throw .usage(
        "\(what) is invalid: \(error.detail.escapedForTerminal)", hint: "Documentation/Load.md describes plans"
      ).coded(error.code.rawValue)
    }
  }

  private static func change(_ plan: inout LoadPlan, _ arguments: ParsedArguments) throws(LoadError) {
    let (rate, clients) = (try positive(arguments, "--rate"), try positive(arguments, "--clients"))
    if rate != nil, clients != nil { throw .options("--rate and --clients exclude each other") }
    if clients != nil { plan.model = .closed }
    if rate != nil { plan.model = .open }
    let level = rate ?? clients
    let seconds = try self.seconds(arguments, "--duration")
    let ramp = try self.seconds(arguments, "--ramp")
    if level != nil || seconds != nil || ramp != nil {
      let last = plan.phases.last ?? .init(from: 10, to: 10, seconds: 10)
      let level = level ?? last.to
      plan.phases = [.init(from: level, to: level, seconds: seconds ?? last.seconds)]
      if let ramp { plan.phases.insert(.init(from: 0, to: level, seconds: ramp, isMeasured: false), at: 0) }
    }
    if arguments.has("--poisson") { plan.arrivals = .poisson }
    if let mix = arguments["--mix"] { plan.mix = try shares(mix) }
    if let count = try positive(arguments, "--accounts") { plan.accountCount = Int(count) }
    if let count = try positive(arguments, "--connections") { plan.maximumConcurrency = Int(count) }
    if arguments.has("--new-connections") { plan.keepsConnections = false }
    if let request = arguments["--request"] { plan.request = try self.request(request) }
    for text in arguments.all("--objective") + arguments.all("--until-slo") {
      plan.objectives.append(try Objective(text))
    }
    plan.keepsHistograms = arguments["--histogram"] != nil
    if let seed = arguments["--seed"] { plan.seed = seed }
    if plan.seed.isEmpty { plan.seed = Hex.encode((try? RandomSource.system.bytes(8)) ?? []) }
  }

  private static func positive(_ arguments: ParsedArguments, _ name: String) throws(LoadError) -> Double? {
    guard let text = arguments[name] else { return nil }
    guard let number = Double(text), number > 0, number <= 1e6 else {
      throw .options("\(name) is a number above 0 and up to 1000000")
    }
    return number
  }

  private static func seconds(_ arguments: ParsedArguments, _ name: String) throws(LoadError) -> Double? {
    guard let text = arguments[name] else { return nil }
    guard let duration = Duration(text) else { throw .options("\(name) is a duration such as 90s or 15m") }
    return Double(duration.components.seconds)
  }

  private static func shares(_ text: String) throws(LoadError) -> [LoadPlan.Share] {
    try text.split(separator: ",").map { (part) throws(LoadError) in
      let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard let operation = sides.first.flatMap(LoadOperation.init(rawValue:)), sides.count <= 2,
        let weight = sides.count == 2 ? Double(sides[1]) : 1
      else { throw .options("--mix is a list such as sign-in=8,request=2") }
      return LoadPlan.Share(operation, weight)
    }
  }

  private static func request(_ text: String) throws(LoadError) -> LoadPlan.Request {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, words[0].allSatisfy({ $0.isLetter && $0.isUppercase }) else {
      throw .options("--request is a method and a path, such as 'GET /api/portfolio'")
    }
    return .init(method: words[0], path: words[1])
  }
}

extension LoadError {
  /// An option with an invalid value.
  fileprivate static func options(_ detail: String) -> Self { LoadError(.invalidPlan, detail) }
}
