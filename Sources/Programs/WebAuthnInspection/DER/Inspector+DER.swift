// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Inspector {
  /// Shows DER of unknown structure.
  func der(_ bytes: Bytes, named name: String) -> InspectionNode {
    var node = InspectionNode(name, span: bytes.indices)
    var loose = LooseDERReader(DERReader(bytes))
    node.children = loose.readElements()
    node.problems = loose.problems
    return node
  }
}

/// A DER reader that stops at the first error of each level and keeps the elements before it.
private struct LooseDERReader {
  private var reader: DERReader
  private(set) var problems: [InspectionProblem] = []

  init(_ reader: DERReader) {
    self.reader = reader
  }

  mutating func readElements() -> [InspectionNode] {
    var nodes: [InspectionNode] = []
    while !reader.isAtEnd {
      do throws(WireError) {
        nodes.append(node(try reader.readElement()))
      } catch {
        problems.append(InspectionProblem(error))
        return nodes
      }
    }
    return nodes
  }

  private func node(_ element: DERElement) -> InspectionNode {
    var node = InspectionNode(element.tag.typeName, Self.value(of: element), span: element.encoded.indices)
    guard element.tag.isConstructed else { return node }
    do throws(WireError) {
      var inner = LooseDERReader(try DERReader(inside: element))
      node.children = inner.readElements()
      node.problems = inner.problems
    } catch {
      node.problems.append(InspectionProblem(error))
    }
    return node
  }

  private static func value(of element: DERElement) -> InspectionNode.Value? {
    guard !element.tag.isConstructed else { return nil }
    var reader = DERReader(element.encoded)
    let text: String? =
      switch element.tag {
      case .boolean: (try? reader.readBoolean()).map { "\($0)" }
      case .integer: (try? reader.readInt64()).map { "\($0)" }
      case .enumerated: (try? reader.readEnumerated()).map { "\($0)" }
      case .objectIdentifier: (try? reader.readObjectIdentifier()).map(ObjectIdentifierNames.text)
      case .utf8String: (try? reader.readUTF8String())?.quotedForTerminal
      case .printableString: (try? reader.readPrintableString())?.quotedForTerminal
      case .ia5String: (try? reader.readIA5String())?.quotedForTerminal
      case .utcTime: (try? reader.readUTCTime()).map { "\($0)" }
      case .generalizedTime: (try? reader.readGeneralizedTime()).map { "\($0)" }
      case .null: element.content.isEmpty ? "" : nil
      default: nil
      }
    return text.map { .text($0) } ?? .bytes(element.content)
  }
}

extension DERTag {
  /// The name of the type in X.680; the tag's number where it has none.
  fileprivate var typeName: String { Self.names[self] ?? description }

  private static let names: [DERTag: String] = [
    .boolean: "BOOLEAN", .integer: "INTEGER", .bitString: "BIT STRING", .octetString: "OCTET STRING", .null: "NULL",
    .objectIdentifier: "OBJECT IDENTIFIER", .enumerated: "ENUMERATED", .utf8String: "UTF8String",
    .sequence: "SEQUENCE", .set: "SET", .numericString: "NumericString", .printableString: "PrintableString",
    .teletexString: "TeletexString", .ia5String: "IA5String", .utcTime: "UTCTime",
    .generalizedTime: "GeneralizedTime", .visibleString: "VisibleString", .universalString: "UniversalString",
    .bmpString: "BMPString",
  ]
}
