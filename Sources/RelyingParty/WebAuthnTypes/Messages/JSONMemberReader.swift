// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reader of the members of a JSON object in a message. A null member counts as absent. Names are literals, so that
/// none is allocated.
struct JSONMemberReader: NestedMemberReader {
  /// The encoding of bytes in strings.
  let encoding: ResponseEncoding

  let object: JSONValue
  private let kind: MessageKind
  private let nulls: Nulls

  /// The name of the member that contains this object; empty at the top. No message nests deeper.
  private let parent: String

  /// The meaning of null members.
  enum Nulls {
    /// A null member counts as absent.
    case absent
    /// A null member is a value of the wrong type.
    case invalid
  }

  /// Parses text that must be an object.
  init(
    parsing json: some ByteSource, as kind: MessageKind, encoding: ResponseEncoding = .base64URL, nulls: Nulls = .absent
  ) throws(FormatError) {
    let value: JSONValue
    do throws(WireError) {
      value = try JSON.parse(json)
    } catch {
      throw FormatError(kind.malformed, error)
    }
    try self.init(value, as: kind, encoding: encoding, nulls: nulls)
  }

  /// Reads a value that must be an object.
  init(
    _ value: JSONValue, as kind: MessageKind, encoding: ResponseEncoding = .base64URL, nulls: Nulls = .absent
  ) throws(FormatError) {
    do throws(WireError) {
      object = try value.object
    } catch {
      throw FormatError(kind.malformed, error)
    }
    self.encoding = encoding
    self.kind = kind
    self.nulls = nulls
    parent = ""
  }

  private init(_ object: JSONValue, in parent: String, of outer: Self) {
    encoding = outer.encoding
    self.object = object
    kind = outer.kind
    nulls = outer.nulls
    self.parent = parent
  }

  func lookUp(_ name: String) throws(WireError) -> JSONValue? {
    let value = try object[name]
    return nulls == .absent ? value?.unlessNull : value
  }

  func bytes(of value: JSONValue) throws(WireError) -> Bytes {
    switch encoding {
    case .base64URL: try value.base64URL[...]
    case .anyBase64: try value.base64Leniently[...]
    }
  }

  func reader(of object: JSONValue, at name: String) -> Self {
    Self(object, in: name, of: self)
  }

  func extensionsIfPresent(_ name: String) throws(FormatError) -> ClientExtensions? {
    try optional(name) { (value) throws(WireError) in try ClientExtensions(value) }
  }

  func missing(_ name: String) -> FormatError {
    FormatError(kind.missingMember, at: object.offset, member: path(to: name))
  }

  func invalid(_ name: String, _ cause: WireError) -> FormatError {
    FormatError(kind.invalidMember, cause, member: path(to: name))
  }

  func invalid(_ name: String) -> FormatError {
    fault(kind.invalidMember, in: name)
  }

  func fault(_ code: FormatError.Code, in name: String) -> FormatError {
    let value = try? object[name]
    return FormatError(code, at: value?.offset ?? object.offset, member: path(to: name))
  }

  /// Joins the path. Only errors need it.
  private func path(to name: String) -> String {
    parent.isEmpty ? name : "\(parent).\(name)"
  }
}
