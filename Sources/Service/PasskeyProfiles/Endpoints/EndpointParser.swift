// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Parses the endpoints of a profile.
struct EndpointParser {
  /// The beginning of paths that a route writes as `~`.
  let root: String

  /// The endpoints that the profile has.
  let listed: ProfileLayers

  /// The endpoints with their inherited members.
  let inherited: ProfileLayers

  let shapes: ShapeParser

  var endpoints: [EndpointName: EndpointContract] {
    get throws(ProfileError) {
      var endpoints: [EndpointName: EndpointContract] = [:]
      var routes: [String: EndpointName] = [:]
      for name in listed.names {
        guard let endpoint = EndpointName(rawValue: name) else {
          let names = EndpointName.allCases.map(\.rawValue).joined(separator: ", ")
          throw ProfileError(
            .endpointUnknown, at: listed.memberPath(name), "no endpoint has this name; endpoints are \(names)")
        }
        guard let contract = try contract(endpoint) else { continue }
        let route = "\(contract.method) \(contract.path)"
        // Another project's server may begin and end a ceremony at one place.
        if let other = routes.updateValue(endpoint, forKey: route), endpoint.beginning != other,
          other.beginning != endpoint
        {
          throw ProfileError(
            .memberInvalid, at: listed.memberPath(name), "\(other.rawValue) has the route \(route) too")
        }
        endpoints[endpoint] = contract
      }
      for name in listed.names {
        if let endpoint = EndpointName(rawValue: name) { try requireEchoes(of: endpoint, endpoints) }
      }
      guard !endpoints.isEmpty else { throw ProfileError(.memberMissing, at: listed.path, "list the endpoints") }
      return endpoints
    }
  }

  /// Returns the contract of an endpoint; nil if the profile removes it with `null`.
  private func contract(_ endpoint: EndpointName) throws(ProfileError) -> EndpointContract? {
    guard let first = listed.member(endpoint.rawValue) else { return nil }
    let path = listed.memberPath(endpoint.rawValue)
    let routeAlone = try? first.string
    // If a profile gives only a route, the endpoint keeps its inherited messages.
    let members = try inherited.endpoint(endpoint.rawValue)
    try members.allow([
      "route", "encoding", "request", "query", "response", "page", "location", "before", "stepUp", "pending",
    ])
    let given = try members.text("route")
    guard let text = routeAlone ?? given else {
      throw ProfileError(.memberMissing, at: "\(path).route")
    }
    let routePath = routeAlone == nil ? "\(path).route" : path
    guard let route = ProfileRoute(text, root: root) else {
      throw ProfileError(.memberInvalid, at: routePath, "write a method and a path, such as POST /login")
    }
    guard route.parameters == endpoint.pathParameters.sorted() else {
      let wanted = endpoint.pathParameters.sorted().map { "{\($0)}" }.joined(separator: " and ")
      throw ProfileError(
        .memberInvalid, at: routePath,
        wanted.isEmpty
          ? "the path must not contain {…}, except {ceremony.NAME}" : "the path needs \(wanted), each once")
    }
    if !route.kept.isEmpty, endpoint.beginning == nil, members.member("before") == nil {
      throw ProfileError(.memberInvalid, at: routePath, "only the end of a ceremony has {ceremony.NAME} in its path")
    }
    return try contract(endpoint, members, route, at: path)
  }

  private func contract(
    _ endpoint: EndpointName, _ members: ProfileLayers, _ route: ProfileRoute, at path: String
  ) throws(ProfileError) -> EndpointContract {
    let variables = EndpointVariables(endpoint)
    var contract = EndpointContract(method: route.method, path: route.path)
    contract.stepUp = try members.boolean("stepUp")
    contract.admitsPendingAccounts = try members.boolean("pending") ?? false
    contract.page = try members.text("page")
    contract.location = try members.text("location")
    contract.before = try before(endpoint, members, variables)
    let kept: Set<KeptName.Kind> =
      endpoint.beginning == nil && contract.before.isEmpty ? [.value] : [.value, .ceremony]
    try add(variables, kept: kept, of: members, to: &contract)
    contract.response = try shape(members, "response", variables.response, kept: endpoint.begins ? [.ceremony] : [])
    if endpoint.hasFixedResponse, members.names != ["route"] {
      throw ProfileError(.memberInvalid, at: path, "a profile chooses only the route of this endpoint")
    }
    if let query = contract.query {
      guard case .object(let parameters) = query.root.unnamed, parameters.allSatisfy(\.isParameter) else {
        throw ProfileError(
          .memberInvalid, at: "\(path).query", "use an object whose members are variables or constants")
      }
    }
    try require(variables.required, in: contract.request ?? contract.query, at: "\(path).request")
    try require(variables.requiredResponse, in: contract.response, at: "\(path).response")
    return contract
  }

  /// Adds the encoding, the request and the query to a contract.
  private func add(
    _ variables: EndpointVariables, kept: Set<KeptName.Kind>, of members: ProfileLayers,
    to contract: inout EndpointContract
  ) throws(ProfileError) {
    if let encoding = try members.text("encoding") {
      guard ["json", "form"].contains(encoding) else { throw members.invalid("encoding", "use json or form") }
      contract.isForm = encoding == "form"
    }
    contract.request = try shape(members, "request", variables.request, kept: kept)
    contract.query = try shape(members, "query", variables.query, kept: kept)
    if contract.isForm, contract.request?.isObject != true {
      throw members.invalid("request", "a form is an object whose members are its fields")
    }
  }

  /// Returns the requests before the one that begins a ceremony.
  private func before(
    _ endpoint: EndpointName, _ members: ProfileLayers, _ variables: EndpointVariables
  ) throws(ProfileError) -> [EndpointContract] {
    guard let list = members.member("before") else { return [] }
    guard endpoint.begins, let elements = try? list.array else {
      throw members.invalid("before", "write a list of requests, at an endpoint that begins a ceremony")
    }
    var steps: [EndpointContract] = []
    var known: Set<KeptName> = []
    for (index, element) in elements.enumerated() {
      let step = ProfileLayers([element], at: "\(members.memberPath("before"))[\(index)]")
      try step.allow(["route", "encoding", "request", "query", "response", "page", "location"])
      guard let text = try step.text("route"), let route = ProfileRoute(text, root: root), route.parameters.isEmpty
      else {
        throw step.invalid("route", "write a method and a path, such as POST /login")
      }
      var contract = EndpointContract(method: route.method, path: route.path)
      contract.page = try step.text("page")
      contract.location = try step.text("location")
      try add(variables, kept: [.value, .ceremony], of: step, to: &contract)
      contract.response = try shape(step, "response", [], kept: [.ceremony])
      try require(contract.keptNamesOfRequest, from: known, at: step.path, "an earlier request")
      known.formUnion(contract.keptNamesOfResponse)
      steps.append(contract)
    }
    return steps
  }

  private func shape(
    _ members: ProfileLayers, _ name: String, _ variables: [ShapeVariable], kept: Set<KeptName.Kind>
  ) throws(ProfileError) -> Shape? {
    guard let member = members.member(name) else { return nil }
    return try shapes.shape(member, at: members.memberPath(name), variables, kept: kept)
  }

  /// Throws if a ceremony's end sends a value that its beginning does not return.
  private func requireEchoes(
    of endpoint: EndpointName, _ endpoints: [EndpointName: EndpointContract]
  ) throws(ProfileError) {
    guard let contract = endpoints[endpoint] else { return }
    let path = listed.memberPath(endpoint.rawValue)
    guard let beginning = endpoint.beginning else {
      let known = contract.before.reduce(into: Set<KeptName>()) { $0.formUnion($1.keptNamesOfResponse) }
      return try require(contract.keptNamesOfRequest, from: known, at: path, "its requests before")
    }
    let known = endpoints[beginning]?.keptNamesOfResponse ?? []
    try require(contract.keptNamesOfRequest, from: known, at: path, beginning.rawValue)
  }

  private func require(
    _ sent: Set<KeptName>, from known: Set<KeptName>, at path: String, _ source: String
  ) throws(ProfileError) {
    let missing = sent.subtracting(known).filter { $0.kind == .ceremony }.min { $0.name < $1.name }
    guard let missing else { return }
    throw ProfileError(
      .variableUnknown, at: path, "\(missing) has no value: add it to the response of \(source)")
  }

  private func require(
    _ variables: [ShapeVariable], in shape: Shape?, at path: String
  ) throws(ProfileError) {
    let present = shape?.variables ?? []
    for variable in variables where !present.contains(variable) {
      throw ProfileError(.variableMissing, at: path, "the endpoint needs $\(variable.rawValue)")
    }
  }
}

extension ProfileLayers {
  /// Returns the members of an endpoint. A layer that gives only its route has no other members.
  fileprivate func endpoint(_ name: String) throws(ProfileError) -> ProfileLayers {
    try section(name, skippingTexts: true)
  }
}

extension Shape.Member {
  /// Whether the member can be a query parameter.
  fileprivate var isParameter: Bool {
    guard name != nil else { return false }
    switch node.unnamed {
    case .table, .kept, .constant: return true
    case .variable(let variable):
      switch variable.type {
      case .text, .bytes, .integer, .boolean, .time: return true
      case .texts, .flags, .object, .list: return false
      }
    default: return false
    }
  }
}

/// The method and the path of an endpoint.
struct ProfileRoute {
  let method: String
  let path: String

  /// The parameters of the path, sorted.
  let parameters: [String]

  /// The kept values in the path.
  let kept: [KeptName]

  private static let methods: Set<String> = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  /// Parses a text such as `POST /login`; nil if it is malformed. `~` at the beginning of a path stands for `root`.
  init?(_ text: String, root: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.methods.contains(String(parts[0])) else { return nil }
    method = String(parts[0])
    path = parts[1].hasPrefix("~") ? root + parts[1].dropFirst() : String(parts[1])
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 256 else { return nil }
    var parameters: [String] = []
    var segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    // Some frameworks end every path with a slash.
    if segments.count > 1, segments.last?.isEmpty == true { segments.removeLast() }
    var kept: [KeptName] = []
    for segment in segments {
      if let name = Self.keptName(of: segment) {
        kept.append(name)
      } else if segment.hasPrefix("{"), segment.hasSuffix("}") {
        parameters.append(String(segment.dropFirst().dropLast()))
      } else {
        guard !segment.isEmpty, segment != ".", segment != "..", segment.utf8.allSatisfy(Self.isPathCharacter) else {
          return nil
        }
      }
    }
    self.parameters = parameters.sorted()
    self.kept = kept
  }

  /// Returns the value that a segment such as `{ceremony.flow}` stands for; nil for another segment.
  static func keptName(of segment: some StringProtocol) -> KeptName? {
    guard segment.hasPrefix("{ceremony."), segment.hasSuffix("}") else { return nil }
    return KeptName("$\(segment.dropFirst().dropLast())")
  }

  /// The characters of a path segment that need no percent-encoding (RFC 3986 §3.3).
  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~!$&'()*+,;=:@".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Whether a text is a name of letters, digits, `.`, `_` and `-`, as cookies and header fields have.
  static func isToken(_ text: String) -> Bool {
    1...64 ~= text.utf8.count && text.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
  }
}
