// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension LoadPlan {
  /// Reads a plan from JSON text. Missing members have the values of ``init()``; unknown members are refused.
  ///
  /// - Throws: `load.invalid-plan` or `load.invalid-objective`.
  package init(json: Bytes) throws(LoadError) {
    let document = try mapError(JSON.parse(json)) { (error: WireError) in
      LoadError(.invalidPlan, "not JSON: \(error)")
    }
    self.init()
    var phases: [JSONValue]?
    for (name, value) in try Self.members(document, "the plan") {
      switch name {
      case "model": model = try Self.choice(value, name)
      case "arrivals": arrivals = try Self.choice(value, name)
      case "accounts": accountCount = try Self.integer(value, name)
      case "seed": seed = try Self.text(value, name)
      case "connections": maximumConcurrency = try Self.integer(value, name)
      case "keepAlive": keepsConnections = try Self.boolean(value, name)
      case "thinkSeconds": thinkSeconds = try Self.number(value, name)
      case "mix": mix = try Self.mix(value)
      case "phases": phases = try Self.elements(value, name)
      case "objectives":
        objectives = try Self.elements(value, name).map { (text) throws(LoadError) in
          try Objective(Self.text(text, name))
        }
      case "request": request = try Self.request(value)
      case "$schema": break
      default: throw LoadError(.invalidPlan, "unknown member \(name)")
      }
    }
    // The members of a phase depend on the model.
    if let phases { self.phases = try phases.map { (phase) throws(LoadError) in try Self.phase(phase, model) } }
    try check()
  }

  private static func mix(_ value: JSONValue) throws(LoadError) -> [Share] {
    try members(value, "mix").map { (name, weight) throws(LoadError) in
      guard let operation = LoadOperation(rawValue: name) else {
        throw LoadError(.invalidPlan, "mix has the unknown operation \(name)")
      }
      return Share(operation, try number(weight, "mix.\(name)"))
    }
  }

  private static func phase(_ value: JSONValue, _ model: Model) throws(LoadError) -> Phase {
    var (from, to, seconds): (Double?, Double?, Double?) = (nil, nil, nil)
    var isMeasured = true
    for (name, value) in try members(value, "a phase") {
      switch (name, model) {
      case ("from", _): from = try number(value, name)
      case ("to", _): to = try number(value, name)
      case ("rate", .open), ("clients", .closed):
        from = try number(value, name)
        to = from
      case ("seconds", _): seconds = try number(value, name)
      case ("measured", _): isMeasured = try boolean(value, name)
      default: throw LoadError(.invalidPlan, "a phase of the \(model.rawValue) model has the unknown member \(name)")
      }
    }
    guard let from, let to, let seconds else {
      let level = model == .open ? "rate" : "clients"
      throw LoadError(.invalidPlan, "a phase needs seconds, and \(level) or both from and to")
    }
    return Phase(from: from, to: to, seconds: seconds, isMeasured: isMeasured)
  }

  private static func request(_ value: JSONValue) throws(LoadError) -> Request {
    var request = Request(method: "GET", path: "")
    for (name, value) in try members(value, "request") {
      switch name {
      case "method": request.method = try text(value, "request.method")
      case "path": request.path = try text(value, "request.path")
      default: throw LoadError(.invalidPlan, "request has the unknown member \(name)")
      }
    }
    return request
  }
}

extension LoadPlan {
  private static func members(_ value: JSONValue, _ what: String) throws(LoadError) -> [(String, JSONValue)] {
    guard let members = try? value.members else { throw LoadError(.invalidPlan, "\(what) is not an object") }
    return members.map { ($0.name, $0.value) }
  }

  private static func elements(_ value: JSONValue, _ name: String) throws(LoadError) -> [JSONValue] {
    guard let elements = try? value.array else { throw LoadError(.invalidPlan, "\(name) is not an array") }
    return Array(elements)
  }

  private static func choice<Choice: RawRepresentable>(
    _ value: JSONValue, _ name: String
  ) throws(LoadError) -> Choice where Choice.RawValue == String {
    guard let choice = (try? value.string).flatMap(Choice.init(rawValue:)) else {
      throw LoadError(.invalidPlan, "\(name) has an unknown value")
    }
    return choice
  }

  private static func text(_ value: JSONValue, _ name: String) throws(LoadError) -> String {
    guard let text = try? value.string else { throw LoadError(.invalidPlan, "\(name) is not a string") }
    return text
  }

  private static func number(_ value: JSONValue, _ name: String) throws(LoadError) -> Double {
    guard let number = try? value.double else { throw LoadError(.invalidPlan, "\(name) is not a number") }
    return number
  }

  private static func integer(_ value: JSONValue, _ name: String) throws(LoadError) -> Int {
    guard let number = try? value.integer(Int.self) else {
      throw LoadError(.invalidPlan, "\(name) is not a whole number")
    }
    return number
  }

  private static func boolean(_ value: JSONValue, _ name: String) throws(LoadError) -> Bool {
    guard let flag = try? value.bool else { throw LoadError(.invalidPlan, "\(name) is not true or false") }
    return flag
  }
}
