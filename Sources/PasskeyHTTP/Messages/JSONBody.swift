// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// An object in the body of a request, whose members are asked for by name and type.
///
/// Every refusal names the member with its path, such as `response.clientDataJSON`. Members that nobody asks for are
/// passed over; `null` is the same as not being there.
public struct JSONBody: Sendable {
  /// The object itself, for those who read it by their own means.
  public let value: JSONValue

  private let path: String

  /// Reads the body of a request. It must say that it is `application/json`: a form in a browser can send any other type
  /// to us from any site. No body of no type is an object without members, so that whoever has nothing to say may say
  /// nothing.
  public init(_ request: HTTPRequest) throws(HTTPError) {
    let types = request.headers.values("content-type")
    let saysNothing = request.body.isEmpty && types.isEmpty
    guard saysNothing || Self.isJSON(types) else { throw HTTPError(.mediaTypeUnsupported) }
    let value: JSONValue
    do {
      value = try JSON.parse(saysNothing ? Self.nothing : request.body)
    } catch {
      throw HTTPError(.bodyNotJSON, error)
    }
    try self.init(value, path: "")
  }

  private init(_ value: JSONValue, path: String) throws(HTTPError) {
    guard value.kind == .object else { throw HTTPError(.bodyNotObject, member: path.isEmpty ? nil : path) }
    self.value = value
    self.path = path
  }

  /// A string of at most so many bytes.
  public func string(_ name: String, atMost limit: Int = 1_024) throws(HTTPError) -> String {
    let string = try read(require(name), name) { (value) throws(WireError) in try value.string }
    guard string.utf8.count <= limit else { throw invalid(name) }
    return string
  }

  /// A string that may be missing.
  public func stringIfPresent(_ name: String, atMost limit: Int = 1_024) throws(HTTPError) -> String? {
    has(name) ? try string(name, atMost: limit) : nil
  }

  /// The bytes that a base64url string stands for.
  public func base64URL(_ name: String) throws(HTTPError) -> [UInt8] {
    try read(require(name), name) { (value) throws(WireError) in try value.base64URL }
  }

  /// The bytes of a base64url string that may be missing.
  public func base64URLIfPresent(_ name: String) throws(HTTPError) -> [UInt8]? {
    has(name) ? try base64URL(name) : nil
  }

  /// A whole number.
  public func integer(_ name: String) throws(HTTPError) -> Int {
    try read(require(name), name) { (value) throws(WireError) in try value.integer(Int.self) }
  }

  /// True or false.
  public func bool(_ name: String) throws(HTTPError) -> Bool {
    try read(require(name), name) { (value) throws(WireError) in try value.bool }
  }

  /// True or false, which may be missing.
  public func boolIfPresent(_ name: String) throws(HTTPError) -> Bool? {
    has(name) ? try bool(name) : nil
  }

  /// An array of strings, at most so many of at most so many bytes.
  public func strings(_ name: String, atMost count: Int = 64, ofLength limit: Int = 256) throws(HTTPError) -> [String] {
    let elements = try read(require(name), name) { (value) throws(WireError) in try value.array }
    var strings: [String] = []
    for (index, element) in elements.enumerated() {
      let string = try read(element, "\(name)[\(index)]") { (value) throws(WireError) in try value.string }
      guard index < count, string.utf8.count <= limit else { throw invalid(name) }
      strings.append(string)
    }
    return strings
  }

  /// An object.
  public func object(_ name: String) throws(HTTPError) -> JSONBody {
    try JSONBody(require(name), path: pathTo(name))
  }

  /// An object that may be missing.
  public func objectIfPresent(_ name: String) throws(HTTPError) -> JSONBody? {
    has(name) ? try object(name) : nil
  }

  /// The error that a member is not as it should be, for those who know more of it than its type.
  public func invalid(_ name: String) -> HTTPError {
    HTTPError(.bodyInvalidMember, member: pathTo(name))
  }

  private func has(_ name: String) -> Bool {
    member(name) != nil
  }

  private func member(_ name: String) -> JSONValue? {
    (try? value[name])?.unlessNull
  }

  private func require(_ name: String) throws(HTTPError) -> JSONValue {
    guard let member = member(name) else { throw HTTPError(.bodyMissingMember, member: pathTo(name)) }
    return member
  }

  private func read<Value>(
    _ value: JSONValue, _ name: String, _ body: (JSONValue) throws(WireError) -> Value
  ) throws(HTTPError) -> Value {
    do {
      return try body(value)
    } catch {
      throw HTTPError(.bodyInvalidMember, error, member: pathTo(name))
    }
  }

  private func pathTo(_ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }

  private static let nothing = Array("{}".utf8)[...]

  /// `application/json`, in either case, alone or with `charset=utf-8`.
  private static func isJSON(_ types: [String]) -> Bool {
    guard types.count == 1 else { return false }
    if types[0] == "application/json" { return true }
    let parts = QuotedList.split(types[0], at: ";").map { $0.lowercased() }
    guard parts.first == "application/json" else { return false }
    return parts.count == 1 || parts.count == 2 && ["charset=utf-8", "charset=\"utf-8\""].contains(parts[1])
  }
}
