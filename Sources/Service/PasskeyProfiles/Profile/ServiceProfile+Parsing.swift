// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension ServiceProfile {
  // 256 KiB  [the largest built-in profile has 15 KiB]
  private static let maximumSize = 262_144

  /// Parses and validates a profile in the format of <doc:ProfileDocument>. Unknown members are an error, because they
  /// are probably misspelled.
  ///
  /// A profile inherits missing members from the built-in profile that `extends` names. Without `extends` it has only
  /// the endpoints that it lists, and inherits their messages and all other members from `raxx`.
  ///
  /// - Throws: ``ProfileError`` with a `profile.` code and the path of the invalid member.
  public init(json: [UInt8]) throws(ProfileError) {
    let document = try Self.document(json)
    do throws(ProfileError) {
      try self.init(own: document, isBase: false)
    } catch {
      throw error.located(in: document, json)
    }
  }

  /// Reads a profile. The base inherits nothing.
  init(own: JSONValue, isBase: Bool) throws(ProfileError) {
    var layers = [own]
    let inheritsEndpoints = isBase || own.profileMember("extends") != nil
    while let parent = layers.last?.profileMember("extends") {
      layers.append(try BuiltInProfile.document(named: try parent.profileText("extends")))
    }
    if !inheritsEndpoints { layers.append(try BuiltInProfile.base.document()) }
    try self.init(layers, inheritsEndpoints: inheritsEndpoints)
  }

  static func document(_ json: [UInt8]) throws(ProfileError) -> JSONValue {
    let document: JSONValue
    do {
      document = try JSON.parse(JSON.withoutByteOrderMark(json), maximumSize: maximumSize)
    } catch {
      throw ProfileError(.notJSON, "\(ProfileError.Position(of: error.offset, in: json))", cause: error)
    }
    guard document.kind == .object else { throw ProfileError(.notJSON, "a profile is a JSON object") }
    return document
  }

  private init(_ layers: [JSONValue], inheritsEndpoints: Bool) throws(ProfileError) {
    let document = ProfileLayers(layers)
    try document.allow([
      "$schema", "name", "description", "extends", "root", "identifiers", "ceremonies", "sessions", "signUp",
      "recovery",
      "headers", "values",
      "limits", "errors", "shapes", "endpoints",
    ])
    let own = Array(layers.prefix(1))
    guard let name = try ProfileLayers(own).text("name"), Self.isWord(name) else {
      throw ProfileError(.memberInvalid, at: "name", "use a word of printable characters, without a slash")
    }
    let root = try document.text("root") ?? ""
    let computed = try Self.values(try document.section("values"), root: root)
    let shapes = ShapeParser(named: try document.section("shapes"), computed: Set(computed.keys))
    self.init(name: name, errors: try Errors(try document.section("errors"), shapes))
    identifiers = try Identifiers(try document.section("identifiers"))
    ceremonies = try Ceremonies(try document.section("ceremonies"))
    sessions = try Sessions(try document.section("sessions"))
    signUp = try SignUp(try document.section("signUp"))
    recovery = try Recovery(try document.section("recovery"))
    values = computed
    headers = try Headers(try document.section("headers"), computed: Set(computed.keys))
    limits = try Limits(try document.section("limits"))
    let listed = inheritsEndpoints ? layers : own
    endpoints = try EndpointParser(
      root: root, listed: try ProfileLayers(listed).section("endpoints"),
      inherited: try document.section("endpoints"), shapes: shapes
    ).endpoints
    let returned = endpoints.values.reduce(into: Set<KeptName>()) { $0.formUnion($1.keptNamesOfResponse) }
    if let field = headers.sent.first(where: { $0.kept.map { $0.kind == .ceremony && !returned.contains($0) } ?? false }
    ) {
      throw ProfileError(
        .variableUnknown, at: "headers.send.\(field.name)", "no response that begins a ceremony has the value")
    }
    if identifiers.email == .none {
      for endpoint in EndpointName.allCases where endpoint.needsAddresses { endpoints[endpoint] = nil }
    }
  }

  private static func values(
    _ section: ProfileLayers, root: String
  ) throws(ProfileError) -> [String: ComputedValue] {
    var values: [String: ComputedValue] = [:]
    for name in section.names {
      guard section.member(name) != nil else { continue }
      guard ProfileRoute.isToken(name), !name.contains(".") else {
        throw section.invalid(name, "use a name of letters, digits, _ and -")
      }
      values[name] = try ComputedValue(try section.section(name), root: root)
    }
    return values
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "/") }
  }
}
