// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A reader of the members of an object in a `Decoder`.
///
/// Errors are `DecodingError`, as callers of a decoder expect, with the ``FormatError`` as the underlying error.
struct CodingMemberReader: MemberReader {
  /// Always base64url. A server whose clients use another encoding reads JSON text instead.
  var encoding: ResponseEncoding { .base64URL }

  private let container: KeyedDecodingContainer<MemberName>
  private let kind: MessageKind
  private let parent: String

  init(_ decoder: any Decoder, as kind: MessageKind) throws {
    self.init(container: try decoder.container(keyedBy: MemberName.self), kind: kind, parent: "")
  }

  private init(container: KeyedDecodingContainer<MemberName>, kind: MessageKind, parent: String) {
    self.container = container
    self.kind = kind
    self.parent = parent
  }

  func utf8IfPresent(_ name: String) throws -> Bytes? {
    try textIfPresent(name).map { [UInt8]($0.utf8)[...] }
  }

  func textIfPresent(_ name: String) throws -> String? {
    try container.decodeIfPresent(String.self, forKey: MemberName(name))
  }

  func textsIfPresent(_ name: String) throws -> [String]? {
    try container.decodeIfPresent([String].self, forKey: MemberName(name))
  }

  func bytesIfPresent(_ name: String) throws -> Bytes? {
    guard let text = try textIfPresent(name) else { return nil }
    do {
      return try Base64URL.decode(text)[...]
    } catch {
      throw corrupted(name, FormatError(kind.invalidMember, error, member: path(to: name)))
    }
  }

  func integerIfPresent(_ name: String) throws -> Int64? {
    try container.decodeIfPresent(Int64.self, forKey: MemberName(name))
  }

  func boolIfPresent(_ name: String) throws -> Bool? {
    try container.decodeIfPresent(Bool.self, forKey: MemberName(name))
  }

  func objectIfPresent(_ name: String) throws -> Self? {
    guard try isPresent(name) else { return nil }
    return inside(name, try container.nestedContainer(keyedBy: MemberName.self, forKey: MemberName(name)))
  }

  func objectsIfPresent(_ name: String) throws -> [Self]? {
    guard try isPresent(name) else { return nil }
    var elements = try container.nestedUnkeyedContainer(forKey: MemberName(name))
    var objects: [Self] = []
    while !elements.isAtEnd {
      objects.append(inside(name, try elements.nestedContainer(keyedBy: MemberName.self)))
    }
    return objects
  }

  func extensionsIfPresent(_ name: String) throws -> ClientExtensions? {
    try container.decodeIfPresent(ClientExtensions.self, forKey: MemberName(name))
  }

  func missing(_ name: String) -> any Error {
    let error = FormatError(kind.missingMember, at: 0, member: path(to: name))
    return DecodingError.keyNotFound(MemberName(name), context(container.codingPath, error))
  }

  func invalid(_ name: String) -> any Error {
    fault(kind.invalidMember, in: name)
  }

  func fault(_ code: FormatError.Code, in name: String) -> any Error {
    corrupted(name, FormatError(code, at: 0, member: path(to: name)))
  }

  private func isPresent(_ name: String) throws -> Bool {
    let key = MemberName(name)
    return try container.contains(key) && !container.decodeNil(forKey: key)
  }

  private func path(to name: String) -> String {
    parent.isEmpty ? name : "\(parent).\(name)"
  }

  private func inside(_ name: String, _ container: KeyedDecodingContainer<MemberName>) -> Self {
    Self(container: container, kind: kind, parent: name)
  }

  private func corrupted(_ name: String, _ error: FormatError) -> DecodingError {
    .dataCorrupted(context(container.codingPath + [MemberName(name)], error))
  }

  private func context(_ path: [any CodingKey], _ error: FormatError) -> DecodingError.Context {
    DecodingError.Context(codingPath: path, debugDescription: "\(error)", underlyingError: error)
  }
}

/// The name of a member as a coding key.
struct MemberName: CodingKey {
  let stringValue: String

  /// Always nil: members have no integer keys.
  var intValue: Int? { nil }

  init(_ name: String) {
    stringValue = name
  }

  init?(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}

extension Decoder {
  /// Decodes a string and parses it with `read`. Throws `DecodingError.dataCorrupted` with the cause as the underlying
  /// error.
  func readText<Value, Failure: Error>(_ read: (String) throws(Failure) -> Value) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do {
      return try read(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }
}
