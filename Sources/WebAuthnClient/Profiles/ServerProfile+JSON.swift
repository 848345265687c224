// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension ServerProfile {
  /// Parses a profile in the format described in <doc:ServerProfiles>. Unknown members are an error, because they are
  /// probably misspelled.
  ///
  /// - Throws: `client.profile-invalid`.
  @inlinable
  public init(json: some Collection<UInt8>) throws(ClientError) {
    try self.init(json: Bytes(json))
  }

  /// Parses a profile in the format described in <doc:ServerProfiles>. Unknown members are an error, because they are
  /// probably misspelled.
  ///
  /// - Throws: `client.profile-invalid`.
  public init(json: Bytes) throws(ClientError) {
    do {
      let file = try JSON.parse(JSON.withoutByteOrderMark(json))
      try Self.refuseUnknown(file, Self.members, "")
      self.init(name: try file.require("name").string, routes: try Self.routes(file.require("routes")))
      try readMembers(file)
      if let sessions = try file["sessions"] { try readSessions(sessions) }
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(.profileInvalid, "\(error)")
    }
    try check()
  }

  static let members: Set<String> = [
    "name", "routes", "addressMember", "accountMember", "displayNameMember", "codeMember", "optionsMember",
    "credentialMember", "credentialNameMember", "repeatsAddress", "sessions", "stepUpHeader",
    "clientHeader",
  ]

  static let sessionMembers: Set<String> = [
    "by", "cookie", "tokenMember", "refreshTokenMember", "expiryMember", "renewalExpiryMember",
    "clientTokenMember",
  ]

  private mutating func readMembers(_ file: JSONValue) throws {
    if let name = try file["addressMember"] { addressMember = try name.string }
    if let name = try file["accountMember"] { accountMember = try name.string }
    if let name = try file["displayNameMember"] { displayNameMember = try name.unlessNull?.string }
    if let name = try file["codeMember"] { codeMember = try name.string }
    if let name = try file["optionsMember"] { optionsMember = try name.unlessNull?.string }
    if let name = try file["credentialMember"] { credentialMember = try name.unlessNull?.string }
    if let name = try file["credentialNameMember"] { credentialNameMember = try name.string }
    if let repeats = try file["repeatsAddress"] { repeatsAddress = try repeats.bool }
    if let name = try file["stepUpHeader"] { stepUpHeader = try name.string.lowercased() }
    if let name = try file["clientHeader"] { clientHeader = try name.string.lowercased() }
  }

  private mutating func readSessions(_ object: JSONValue) throws {
    try Self.refuseUnknown(object, Self.sessionMembers, "sessions.")
    let cookie = try object["cookie"]?.string
    switch (try object.require("by").string, cookie) {
    case ("bearer", nil): sessions = .bearer
    case ("cookie", let name?): sessions = .cookie(name: name)
    case ("nothing", nil): sessions = .nothing
    case ("cookie", nil): throw ClientError(.profileInvalid, "sessions.cookie is missing")
    case ("bearer", _?), ("nothing", _?):
      throw ClientError(.profileInvalid, "sessions.cookie requires sessions by cookie")
    case (let other, _): throw ClientError(.profileInvalid, "sessions.by is bearer, cookie or nothing, not \(other)")
    }
    if let name = try object["tokenMember"] { tokenMember = try name.string }
    if let name = try object["refreshTokenMember"] { refreshTokenMember = try name.string }
    if let name = try object["expiryMember"] { expiryMember = try name.string }
    if let name = try object["renewalExpiryMember"] { renewalExpiryMember = try name.string }
    if let name = try object["clientTokenMember"] { clientTokenMember = try name.string }
  }

  private static func routes(_ object: JSONValue) throws -> [ServerEndpoint: ServerRoute] {
    var routes: [ServerEndpoint: ServerRoute] = [:]
    for member in try object.members {
      guard let endpoint = ServerEndpoint(rawValue: member.name) else {
        throw ClientError(.profileInvalid, "routes.\(member.name) is not an endpoint")
      }
      guard let route = ServerRoute(try member.value.string) else {
        throw ClientError(.profileInvalid, "routes.\(member.name) is a method and a path, such as POST /login")
      }
      routes[endpoint] = route
    }
    return routes
  }

  private static func refuseUnknown(_ object: JSONValue, _ known: Set<String>, _ prefix: String) throws {
    for member in try object.members where !known.contains(member.name) {
      throw ClientError(.profileInvalid, "\(prefix)\(member.name) is not a member of a profile")
    }
  }

  /// Validates the members after parsing.
  private func check() throws(ClientError) {
    guard !name.isEmpty, name.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "/") }) else {
      throw ClientError(.profileInvalid, "name is a word of printable characters, without a slash")
    }
    for (member, header) in [("stepUpHeader", stepUpHeader), ("clientHeader", clientHeader)] {
      let request = ServerRequest("POST", "/", headers: [HeaderField(header, "0")])
      guard HeaderField.isToken(header), (try? request.check()) != nil else {
        throw ClientError(.profileInvalid, "\(member) is not an allowed header field")
      }
    }
    if case .cookie(let name) = sessions, !HeaderField.isToken(name) {
      throw ClientError(.profileInvalid, "sessions.cookie is not a cookie name")
    }
    for endpoint in ServerEndpoint.allCases {
      guard let route = routes[endpoint] else { continue }
      let name = "routes.\(endpoint.rawValue)"
      switch (endpoint.takesIdentifier, route.placeholderCount) {
      case (true, 1), (false, 0): continue
      case (true, 0): throw ClientError(.profileInvalid, "\(name) has no {id}")
      case (true, _): throw ClientError(.profileInvalid, "\(name) has more than one {id}")
      case (false, _): throw ClientError(.profileInvalid, "\(name) has an {id} that the endpoint does not use")
      }
    }
  }
}
