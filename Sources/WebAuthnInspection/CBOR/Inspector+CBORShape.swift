// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import WebAuthnTypes
internal import WireFormats

extension Inspector {
  /// An item that should have a shape. Where it has another, that is said, and it is shown as what it is.
  func cbor(_ item: LooseCBOR, as shape: CBORShape, named name: String, in bytes: Bytes) -> InspectionNode {
    guard item.has(shape) else {
      var node = cbor(item, named: name)
      // Of an item that could not be read, the reason has been told.
      if item.isReadable {
        node.problems.append(InspectionProblem(WireError(.cborWrongType, at: item.offset), shape.wanted))
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
    _ item: LooseCBOR, as shape: CBORShape, named name: String, in bytes: Bytes
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

  /// The members of a map: those that are known by their names, the others as they are, and a word for each that
  /// must be there and is not.
  func map(
    _ item: LooseCBOR, _ pairs: [LooseCBOR.Pair], _ fields: [CBORField], named name: String, in bytes: Bytes
  ) -> InspectionNode {
    var node = InspectionNode(name, note: pairs.isEmpty ? "empty" : nil)
    var missing = item.isCut ? [] : fields.filter(\.isRequired)
    for pair in pairs {
      let field = fields.first { pair.key.matches($0.key) }
      if let field { missing.removeAll { $0.key == field.key } }
      node.children.append(member(pair, field, in: bytes))
    }
    node.problems = missing.map { field in
      InspectionProblem(WireError(.cborMissingKey, at: item.offset), "there is no \(field.name)")
    }
    return node
  }

  private func member(_ pair: LooseCBOR.Pair, _ field: CBORField?, in bytes: Bytes) -> InspectionNode {
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

extension LooseCBOR {
  var isReadable: Bool {
    if case .unreadable = content { false } else { true }
  }

  var isText: Bool {
    if case .text = content { true } else { false }
  }

  /// The same, for a reader that says nothing of faults because its caller does.
  var withoutFaults: Self {
    var copy = self
    copy.forgetFaults()
    return copy
  }

  /// The integer, where it is one of 64 bits with a sign.
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
    case (.bytes(let own), .bytes(let other)): own[...] == other
    default: false
    }
  }

  fileprivate func has(_ shape: CBORShape) -> Bool {
    switch (shape, content) {
    case (.any, _), (.integer, .unsigned), (.integer, .negative), (.algorithm, .unsigned), (.algorithm, .negative),
      (.bytes, .bytes), (.aaguid, .bytes), (.signature, .bytes), (.certificate, .bytes), (.authenticatorData, .bytes),
      (.text, .text), (.bool, .simple(20)), (.bool, .simple(21)), (.array, .array), (.map, .map), (.coseKey, .map):
      true
    default: false
    }
  }
}

extension CBORShape {
  fileprivate var wanted: String {
    switch self {
    case .any: "anything is wanted"
    case .integer, .algorithm: "an integer is wanted"
    case .bytes, .aaguid, .signature, .certificate, .authenticatorData: "a byte string is wanted"
    case .text: "a text string is wanted"
    case .bool: "true or false is wanted"
    case .array: "an array is wanted"
    case .map, .coseKey: "a map is wanted"
    }
  }
}
