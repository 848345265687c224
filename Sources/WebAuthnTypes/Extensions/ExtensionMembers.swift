// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A reader of the members of an extension's input or output. A null member counts as absent.
struct ExtensionMembers {
  let values: [String: ExtensionValue]
  private let path: String

  init(_ extensions: ClientExtensions) {
    values = extensions.values
    path = ""
  }

  /// Takes a value that must be an object. `path` is its position, for errors.
  init(_ value: ExtensionValue, at path: String) throws(FormatError) {
    guard case .object(let members) = value else { throw Self.invalid(path) }
    values = members
    self.path = path
  }

  func boolIfPresent(_ name: String) throws(FormatError) -> Bool? {
    try member(name) { $0.bool }
  }

  func textIfPresent(_ name: String) throws(FormatError) -> String? {
    try member(name) { $0.string }
  }

  func arrayIfPresent(_ name: String) throws(FormatError) -> [ExtensionValue]? {
    try member(name) { $0.array }
  }

  func bytesIfPresent(_ name: String) throws(FormatError) -> [UInt8]? {
    guard let text = try textIfPresent(name) else { return nil }
    do throws(WireError) {
      return try Base64URL.decode(text)
    } catch {
      throw FormatError(.clientExtensionsInvalidMember, error, member: path(to: name))
    }
  }

  func bytes(_ name: String) throws(FormatError) -> [UInt8] {
    guard let bytes = try bytesIfPresent(name) else { throw missing(name) }
    return bytes
  }

  func text(_ name: String) throws(FormatError) -> String {
    guard let text = try textIfPresent(name) else { throw missing(name) }
    return text
  }

  /// Reads bytes of a fixed length.
  func bytesIfPresent(_ name: String, count: Int) throws(FormatError) -> [UInt8]? {
    guard let bytes = try bytesIfPresent(name) else { return nil }
    guard bytes.count == count else { throw invalid(name) }
    return bytes
  }

  func bytes(_ name: String, count: Int) throws(FormatError) -> [UInt8] {
    guard let bytes = try bytesIfPresent(name, count: count) else { throw missing(name) }
    return bytes
  }

  func objectIfPresent(_ name: String) throws(FormatError) -> ExtensionMembers? {
    guard let value = try member(name, { $0 }) else { return nil }
    return try ExtensionMembers(value, at: path(to: name))
  }

  func isPresent(_ name: String) -> Bool {
    switch values[name] {
    case nil, .null?: false
    default: true
    }
  }

  func missing(_ name: String) -> FormatError {
    FormatError(.clientExtensionsMissingMember, at: 0, member: path(to: name))
  }

  func invalid(_ name: String) -> FormatError {
    Self.invalid(path(to: name))
  }

  func path(to name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }

  private static func invalid(_ path: String) -> FormatError {
    FormatError(.clientExtensionsInvalidMember, at: 0, member: path)
  }

  private func member<Content>(
    _ name: String, _ content: (ExtensionValue) -> Content?
  ) throws(FormatError) -> Content? {
    guard isPresent(name), let value = values[name] else { return nil }
    guard let content = content(value) else { throw invalid(name) }
    return content
  }
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
