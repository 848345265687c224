// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reader of the members of an extension's input or output. A null member counts as absent.
struct ExtensionMembers: NestedMemberReader {
  let values: [String: ExtensionValue]
  private let path: String

  init(_ extensions: ClientExtensions) {
    self.init(values: extensions.values, path: "")
  }

  /// Takes a value that must be an object. `path` is its position, for errors.
  init(_ value: ExtensionValue, at path: String) throws(FormatError) {
    guard case .object(let members) = value else { throw Self.invalid(path) }
    self.init(values: members, path: path)
  }

  private init(values: [String: ExtensionValue], path: String) {
    self.values = values
    self.path = path
  }

  func lookUp(_ name: String) -> ExtensionMember? {
    switch values[name] {
    case nil, .null?: nil
    case let value?: ExtensionMember(value: value)
    }
  }

  func reader(of members: [String: ExtensionValue], at name: String) -> Self {
    Self(values: members, path: path(to: name))
  }

  func missing(_ name: String) -> FormatError {
    FormatError(.clientExtensionsMissingMember, at: 0, member: path(to: name))
  }

  func invalid(_ name: String, _ cause: WireError) -> FormatError {
    guard cause.code != .jsonWrongType else { return invalid(name) }
    return FormatError(.clientExtensionsInvalidMember, cause, member: path(to: name))
  }

  func invalid(_ name: String) -> FormatError {
    Self.invalid(path(to: name))
  }

  private static func invalid(_ path: String) -> FormatError {
    FormatError(.clientExtensionsInvalidMember, at: 0, member: path)
  }

  private func path(to name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }
}

extension ExtensionMembers {
  /// Reads bytes, of a fixed length if `count` is not nil.
  func byteArrayIfPresent(_ name: String, count: Int? = nil) throws(FormatError) -> [UInt8]? {
    guard let bytes = try bytesIfPresent(name) else { return nil }
    guard count == nil || bytes.count == count else { throw invalid(name) }
    return [UInt8](bytes)
  }

  func byteArray(_ name: String, count: Int? = nil) throws(FormatError) -> [UInt8] {
    guard let bytes = try byteArrayIfPresent(name, count: count) else { throw missing(name) }
    return bytes
  }

  func arrayIfPresent(_ name: String) throws(FormatError) -> [ExtensionValue]? {
    try optional(name) { (member) throws(WireError) in try member.array }
  }
}

/// A member of an extension's input or output. It has no position in a text, so its errors have offset 0.
struct ExtensionMember: MemberValue {
  fileprivate let value: ExtensionValue

  var text: String { get throws(WireError) { try require(value.string) } }
  var utf8: Bytes { get throws(WireError) { Bytes(try text.utf8) } }
  var bytes: Bytes { get throws(WireError) { try Base64URL.decode(text)[...] } }
  var bool: Bool { get throws(WireError) { try require(value.bool) } }
  var int64: Int64 { get throws(WireError) { try require(value.number.flatMap { Int64(exactly: $0) }) } }
  var array: [ExtensionValue] { get throws(WireError) { try require(value.array) } }

  var object: [String: ExtensionValue] {
    get throws(WireError) {
      guard case .object(let members) = value else { throw Self.wrongType }
      return members
    }
  }

  var texts: [String] {
    get throws(WireError) { try elements { (element) throws(WireError) in try element.text } }
  }

  var objects: [[String: ExtensionValue]] {
    get throws(WireError) { try elements { (element) throws(WireError) in try element.object } }
  }

  private func elements<Element>(_ read: (Self) throws(WireError) -> Element) throws(WireError) -> [Element] {
    var elements: [Element] = []
    for element in try array { elements.append(try read(Self(value: element))) }
    return elements
  }

  private func require<Content>(_ content: Content?) throws(WireError) -> Content {
    guard let content else { throw Self.wrongType }
    return content
  }

  private static let wrongType = WireError(.jsonWrongType, at: 0)
}

extension ExtensionValue {
  /// Encodes bytes as a base64url string.
  static func base64URL(_ bytes: [UInt8]) -> Self {
    .string(Base64URL.encode(bytes))
  }

  /// Creates an object from the members that are not nil.
  static func object(ofPresent members: [String: ExtensionValue?]) -> Self {
    .object(members.compactMapValues { $0 })
  }
}
