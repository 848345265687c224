// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reader of the members of an object in a `Decoder`.
///
/// Errors are `DecodingError`, as callers of a decoder expect, with the ``FormatError`` as the underlying error.
struct CodingMemberReader: MessageReader {
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

  func lookUp(_ name: String) throws -> CodingMember? {
    let key = MemberName(name)
    guard try container.contains(key) && !container.decodeNil(forKey: key) else { return nil }
    return CodingMember(container: container, name: key)
  }

  func reader(of container: KeyedDecodingContainer<MemberName>, at name: String) -> Self {
    Self(container: container, kind: kind, parent: name)
  }

  func extensionsIfPresent(_ name: String) throws -> ClientExtensions? {
    try container.decodeIfPresent(ClientExtensions.self, forKey: MemberName(name))
  }

  func missing(_ name: String) -> any Error {
    let error = FormatError(kind.missingMember, at: 0, member: path(to: name))
    return DecodingError.keyNotFound(MemberName(name), context(container.codingPath, error))
  }

  /// The decoder's own errors pass unchanged.
  func invalid(_ name: String, _ cause: any Error) -> any Error {
    guard let cause = cause as? WireError else { return cause }
    return corrupted(name, FormatError(kind.invalidMember, cause, member: path(to: name)))
  }

  func invalid(_ name: String) -> any Error {
    fault(kind.invalidMember, in: name)
  }

  func fault(_ code: FormatError.Code, in name: String) -> any Error {
    corrupted(name, FormatError(code, at: 0, member: path(to: name)))
  }

  private func path(to name: String) -> String {
    parent.isEmpty ? name : "\(parent).\(name)"
  }

  private func corrupted(_ name: String, _ error: FormatError) -> DecodingError {
    .dataCorrupted(context(container.codingPath + [MemberName(name)], error))
  }

  private func context(_ path: [any CodingKey], _ error: FormatError) -> DecodingError.Context {
    DecodingError.Context(codingPath: path, debugDescription: "\(error)", underlyingError: error)
  }
}

/// A member of an object in a `Decoder`.
struct CodingMember: MemberValue {
  typealias Failure = any Error

  fileprivate let container: KeyedDecodingContainer<MemberName>
  fileprivate let name: MemberName

  var text: String { get throws { try container.decode(String.self, forKey: name) } }
  var utf8: Bytes { get throws { Bytes(try text.utf8) } }
  var texts: [String] { get throws { try container.decode([String].self, forKey: name) } }
  var bytes: Bytes { get throws { try Base64URL.decode(text)[...] } }
  var bool: Bool { get throws { try container.decode(Bool.self, forKey: name) } }
  var int64: Int64 { get throws { try container.decode(Int64.self, forKey: name) } }

  var object: KeyedDecodingContainer<MemberName> {
    get throws { try container.nestedContainer(keyedBy: MemberName.self, forKey: name) }
  }

  var objects: [KeyedDecodingContainer<MemberName>] {
    get throws {
      var elements = try container.nestedUnkeyedContainer(forKey: name)
      var objects: [KeyedDecodingContainer<MemberName>] = []
      while !elements.isAtEnd { objects.append(try elements.nestedContainer(keyedBy: MemberName.self)) }
      return objects
    }
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
