// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A reader of the members of an object in JSON text.
struct JSONMemberReader: MemberReader {
  let encoding: ResponseEncoding

  private let object: JSONValue
  private let kind: MessageKind

  /// The name of the member that contains this object; empty at the top. No message nests deeper.
  private let parent: String

  /// Parses a text that must be an object.
  init(parsing json: Bytes, as kind: MessageKind, encoding: ResponseEncoding = .base64URL) throws(FormatError) {
    do throws(WireError) {
      let value = try JSON.parse(json)
      _ = try value.members
      self.init(object: value, kind: kind, parent: "", encoding: encoding)
    } catch {
      throw FormatError(kind.malformed, error)
    }
  }

  private init(object: JSONValue, kind: MessageKind, parent: String, encoding: ResponseEncoding) {
    self.encoding = encoding
    self.object = object
    self.kind = kind
    self.parent = parent
  }

  func utf8IfPresent(_ name: String) throws(FormatError) -> Bytes? {
    try member(name) { (value) throws(WireError) in try value.utf8 }
  }

  func textIfPresent(_ name: String) throws(FormatError) -> String? {
    try member(name) { (value) throws(WireError) in try value.string }
  }

  func textsIfPresent(_ name: String) throws(FormatError) -> [String]? {
    try member(name) { (value) throws(WireError) in
      var texts: [String] = []
      for element in try value.array { texts.append(try element.string) }
      return texts
    }
  }

  func bytesIfPresent(_ name: String) throws(FormatError) -> Bytes? {
    try member(name) { (value) throws(WireError) in
      switch encoding {
      case .base64URL: try value.base64URL[...]
      case .anyBase64: try value.base64Leniently[...]
      }
    }
  }

  func integerIfPresent(_ name: String) throws(FormatError) -> Int64? {
    try member(name) { (value) throws(WireError) in try value.int64 }
  }

  func boolIfPresent(_ name: String) throws(FormatError) -> Bool? {
    try member(name) { (value) throws(WireError) in try value.bool }
  }

  func objectIfPresent(_ name: String) throws(FormatError) -> Self? {
    try member(name) { (value) throws(WireError) in try inside(value, name) }
  }

  func objectsIfPresent(_ name: String) throws(FormatError) -> [Self]? {
    try member(name) { (value) throws(WireError) in
      var objects: [Self] = []
      for element in try value.array { objects.append(try inside(element, name)) }
      return objects
    }
  }

  func extensionsIfPresent(_ name: String) throws(FormatError) -> ClientExtensions? {
    try member(name) { (value) throws(WireError) in try ClientExtensions(value) }
  }

  func missing(_ name: String) -> FormatError {
    FormatError(kind.missingMember, at: object.offset, member: path(to: name))
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

  private func inside(_ value: JSONValue, _ name: String) throws(WireError) -> Self {
    _ = try value.members
    return Self(object: value, kind: kind, parent: name, encoding: encoding)
  }

  private func member<Content>(
    _ name: String, _ content: (JSONValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content? {
    do throws(WireError) {
      guard let value = try object[name], !value.isNull else { return nil }
      return try content(value)
    } catch {
      throw FormatError(kind.invalidMember, error, member: path(to: name))
    }
  }
}
