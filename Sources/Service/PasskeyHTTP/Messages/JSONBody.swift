// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// The JSON object in a request body, with typed access to its members.
///
/// Every error names the path of the member, such as `response.clientDataJSON`. Unknown members are ignored. `null`
/// counts as a missing member.
public struct JSONBody: Sendable {
  /// The JSON object, for callers that parse it themselves.
  package let value: JSONValue

  private let path: String

  /// Parses the body of a request.
  ///
  /// The content type must be `application/json`, because an HTML form on any site can send other types. An empty body
  /// without a content type counts as an empty object.
  ///
  /// - Throws: `http.media-type-unsupported`, `http.body-not-json` or `http.body-not-object`.
  public init(_ request: EndpointRequest) throws(EndpointError) {
    let types = request.headers.values("content-type")
    let isMissing = request.body.isEmpty && types.isEmpty
    guard isMissing || Self.isJSON(types) else { throw EndpointError(.mediaTypeUnsupported) }
    let value: JSONValue
    do {
      value = try JSON.parse(isMissing ? Self.emptyObject : request.body)
    } catch {
      throw EndpointError(.bodyNotJSON, error)
    }
    try self.init(value, path: "")
  }

  private init(_ value: JSONValue, path: String) throws(EndpointError) {
    guard value.kind == .object else { throw EndpointError(.bodyNotObject, member: path.isEmpty ? nil : path) }
    self.value = value
    self.path = path
  }

  /// Returns a string of at most `limit` bytes.
  ///
  /// - Throws: `http.body-missing-member` or `http.body-invalid-member`, as all of these methods, with the path of the
  ///   member.
  public func string(_ name: String, atMost limit: Int = 1_024) throws(EndpointError) -> String {
    guard let string = try stringIfPresent(name, atMost: limit) else { throw missing(name) }
    return string
  }

  /// Returns an optional string of at most `limit` bytes.
  public func stringIfPresent(_ name: String, atMost limit: Int = 1_024) throws(EndpointError) -> String? {
    let string = try textIfPresent(name)
    guard string?.utf8.count ?? 0 <= limit else { throw invalid(name) }
    return string
  }

  /// Returns the decoded bytes of a base64url string.
  public func base64URL(_ name: String) throws(EndpointError) -> [UInt8] {
    try require(name) { (value) throws(WireError) in try value.base64URL }
  }

  /// Returns the decoded bytes of an optional base64url string.
  public func base64URLIfPresent(_ name: String) throws(EndpointError) -> [UInt8]? {
    try optional(name) { (value) throws(WireError) in try value.base64URL }
  }

  /// Returns an integer.
  public func integer(_ name: String) throws(EndpointError) -> Int {
    try require(name) { (value) throws(WireError) in try value.integer(Int.self) }
  }

  /// Returns a Boolean.
  public func bool(_ name: String) throws(EndpointError) -> Bool {
    try require(name) { (value) throws(WireError) in try value.bool }
  }

  /// Returns an optional Boolean.
  public func boolIfPresent(_ name: String) throws(EndpointError) -> Bool? {
    try optional(name) { (value) throws(WireError) in try value.bool }
  }

  /// Returns an array of at most `count` strings of at most `limit` bytes each.
  public func strings(
    _ name: String, atMost count: Int = 64, ofLength limit: Int = 256
  ) throws(EndpointError) -> [String] {
    let elements = try require(name) { (value) throws(WireError) in try value.array }
    var strings: [String] = []
    for (index, element) in elements.enumerated() {
      let string = try mapError(element.string) { (error: WireError) in invalid("\(name)[\(index)]", error) }
      guard index < count, string.utf8.count <= limit else { throw invalid(name) }
      strings.append(string)
    }
    return strings
  }

  /// Returns an object.
  public func object(_ name: String) throws(EndpointError) -> JSONBody {
    guard let object = try objectIfPresent(name) else { throw missing(name) }
    return object
  }

  /// Returns an optional object.
  public func objectIfPresent(_ name: String) throws(EndpointError) -> JSONBody? {
    guard let member = lookUp(name) else { return nil }
    return try JSONBody(member, path: memberPath(name))
  }

  /// Returns the error for an invalid member, for callers with checks beyond its type.
  public func invalid(_ name: String) -> EndpointError {
    EndpointError(.bodyInvalidMember, member: memberPath(name))
  }

  private func memberPath(_ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }

  private static let emptyObject = [UInt8]("{}".utf8)

  /// Returns whether the media type is `application/json`, with no parameter or with `charset=utf-8`. Case-insensitive.
  private static func isJSON(_ types: [String]) -> Bool {
    guard types.count == 1 else { return false }
    if types[0] == "application/json" { return true }
    let parts = QuotedList.split(types[0], at: ";").map { $0.lowercased() }
    guard parts.first == "application/json" else { return false }
    return parts.count == 1 || parts.count == 2 && ["charset=utf-8", "charset=\"utf-8\""].contains(parts[1])
  }
}

extension JSONBody: MemberReader {
  @usableFromInline
  package func lookUp(_ name: String) -> JSONValue? {
    (try? value[name])?.unlessNull
  }

  @usableFromInline
  package func missing(_ name: String) -> EndpointError {
    EndpointError(.bodyMissingMember, member: memberPath(name))
  }

  @usableFromInline
  package func invalid(_ name: String, _ cause: WireError) -> EndpointError {
    EndpointError(.bodyInvalidMember, cause, member: memberPath(name))
  }
}
