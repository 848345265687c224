// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import WebAuthnTypes

extension Inspector {
  /// Shows an item with an expected shape. An item of another shape has a problem and is shown as plain CBOR.
  func cbor(_ item: LenientCBOR, as shape: CBORShape, named name: String, in bytes: Bytes) -> InspectionNode {
    guard item.has(shape) else {
      var node = cbor(item, named: name)
      // An unreadable item has its problem already.
      if item.isReadable {
        node.problems.append(InspectionProblem(WireError(.cborWrongType, at: item.offset), shape.expectation))
      }
      return node
    }
    var node = wellShaped(item, as: shape, named: name, in: bytes)
    node.problems = item.problems + node.problems
    node.remarks = item.remarks + node.remarks
    node.span = item.span
    return node
  }

  private func wellShaped(
    _ item: LenientCBOR, as shape: CBORShape, named name: String, in bytes: Bytes
  ) -> InspectionNode {
    switch (shape, item.content) {
    case (.map(let fields), .map(let pairs)): return map(item, pairs, fields, named: name, in: bytes)
    case (.array(let element), .array(let items)):
      var node = InspectionNode(name, note: items.isEmpty ? "empty" : nil)
      node.children = items.enumerated().map { cbor($0.element, as: element, named: "[\($0.offset)]", in: bytes) }
      return node
    case (.algorithm, _):
      var node = InspectionNode(name, Self.value(of: item))
      node.note = item.integer.flatMap { COSEAlgorithm(rawValue: $0).definition?.name } ?? "unknown algorithm"
      return node
    case (.identifier, .bytes(let content)): return InspectionNode(name, .identifier(content))
    case (.aaguid, .bytes(let content)): return aaguid(content, named: name)
    case (.signature, .bytes(let content)): return signature(content, named: name)
    case (.certificate, .bytes(let content)):
      var node = certificate(content, named: name)
      node.note = ["certificate", node.note].compactMap { $0 }.joined(separator: ", ")
      return node
    case (.authenticatorData, .bytes(let content)): return authenticatorData(content, named: name)
    case (.coseKey, _): return coseKey(item.withoutFaults, in: bytes, named: name)
    default: return cbor(item.withoutFaults, named: name)
    }
  }

  /// Shows the members of a map: known ones by name, others by key. Each missing required member is a problem.
  func map(
    _ item: LenientCBOR, _ pairs: [LenientCBOR.Pair], _ fields: [CBORField], named name: String, in bytes: Bytes
  ) -> InspectionNode {
    var node = InspectionNode(name, note: pairs.isEmpty ? "empty" : nil)
    var missing = item.isCut ? [] : fields.filter(\.isRequired)
    for pair in pairs {
      let field = fields.first { pair.key.matches($0.key) }
      if let field { missing.removeAll { $0.key == field.key } }
      node.children.append(member(pair, field, in: bytes))
    }
    node.problems = missing.map { field in
      InspectionProblem(WireError(.cborMissingKey, at: item.offset), "\(field.name) is missing")
    }
    return node
  }

  private func member(_ pair: LenientCBOR.Pair, _ field: CBORField?, in bytes: Bytes) -> InspectionNode {
    let name = field?.name ?? Self.name(of: pair.key)
    var node: InspectionNode
    if let value = pair.value {
      node = cbor(value, as: field?.shape ?? .any, named: name, in: bytes)
    } else {
      node = InspectionNode(name, span: pair.key.span)
    }
    node.adopt(pair.key)
    return node
  }
}

extension LenientCBOR {
  var isReadable: Bool {
    if case .unreadable = content { false } else { true }
  }

  var isText: Bool {
    if case .text = content { true } else { false }
  }

  /// The item without its problems and remarks, for use where the caller reports them.
  var withoutFaults: Self {
    var copy = self
    copy.forgetFaults()
    return copy
  }

  /// The integer; nil where the item is not one or it does not fit `Int64`.
  var integer: Int64? {
    switch content {
    case .unsigned(let number): Int64(exactly: number)
    case .negative(let number): Int64(exactly: number).map { -1 - $0 }
    default: nil
    }
  }

  func matches(_ key: CBORKey) -> Bool {
    switch (key, content) {
    case (.unsigned(let own), .unsigned(let other)), (.negative(let own), .negative(let other)): own == other
    case (.text(let own), .text(let other)): own.utf8.elementsEqual(other)
    case (.bytes(let own), .bytes(let other)): own.elementsEqual(other)
    default: false
    }
  }

  fileprivate func has(_ shape: CBORShape) -> Bool {
    switch (shape, content) {
    case (.any, _), (.integer, .unsigned), (.integer, .negative), (.algorithm, .unsigned), (.algorithm, .negative),
      (.bytes, .bytes), (.identifier, .bytes), (.aaguid, .bytes), (.signature, .bytes), (.certificate, .bytes),
      (.authenticatorData, .bytes),
      (.text, .text), (.bool, .simple(20)), (.bool, .simple(21)), (.array, .array), (.map, .map), (.coseKey, .map):
      true
    default: false
    }
  }
}

extension CBORShape {
  fileprivate var expectation: String {
    switch self {
    case .any: "expected any item"
    case .integer, .algorithm: "expected an integer"
    case .bytes, .identifier, .aaguid, .signature, .certificate, .authenticatorData: "expected a byte string"
    case .text: "expected a text string"
    case .bool: "expected true or false"
    case .array: "expected an array"
    case .map, .coseKey: "expected a map"
    }
  }
}
