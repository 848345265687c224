// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

extension Inspector {
  /// Shows JSON text with an expected shape.
  func json(_ text: Bytes, named name: String, _ shape: JSONShape) -> InspectionNode {
    do throws(WireError) {
      let value = try JSON.parse(text, maximumSize: Inspection.maximumByteCount)
      return json(Self.unwrapped(value, shape), as: shape, named: name)
    } catch {
      var node = InspectionNode(name, span: text.indices)
      node.problems = [InspectionProblem(error, Self.excerpt(of: text, at: error.offset))]
      return node
    }
  }

  /// Returns the member `publicKey` if the value is an argument of `navigator.credentials`; the value itself otherwise.
  static func unwrapped(_ value: JSONValue, _ shape: JSONShape) -> JSONValue {
    guard case .object(let fields) = shape, !fields.isEmpty, let inner = try? value["publicKey"],
      inner.kind == .object, !fields.contains(where: { $0.name == "publicKey" })
    else { return value }
    return inner
  }

  private func json(_ value: JSONValue, as shape: JSONShape, named name: String) -> InspectionNode {
    var node: InspectionNode
    do throws(WireError) {
      node = try wellShaped(value, as: shape, named: name)
    } catch {
      node = plain(value, named: name)
      node.problems.append(InspectionProblem(error, shape.expectation))
    }
    node.span = node.span ?? value.encoded.indices
    return node
  }

  private func wellShaped(
    _ value: JSONValue, as shape: JSONShape, named name: String
  ) throws(WireError) -> InspectionNode {
    switch shape {
    case .any: return plain(value, named: name)
    case .text: return InspectionNode(name, .text(try value.string.quotedForTerminal))
    case .bool: return InspectionNode(name, .text(try value.bool ? "true" : "false"))
    case .number:
      _ = try value.double
      return plain(value, named: name)
    case .algorithm:
      let number = try value.int64
      let known = COSEAlgorithm(rawValue: number).definition?.name
      return InspectionNode(name, .text("\(number)"), note: known ?? "unknown algorithm")
    case .identifier: return InspectionNode(name, .identifier(try value.base64URL[...]))
    case .signature: return decoded(signature(try value.base64URL[...], named: name), of: value)
    case .artifact(let kind): return try artifact(value, kind, named: name)
    case .array(let element):
      let items = try value.array
      var node = InspectionNode(name)
      node.children = items.enumerated().map { json($0.element, as: element, named: "[\($0.offset)]") }
      node.note = node.children.isEmpty ? "empty" : nil
      return node
    case .object(let fields): return try object(value, fields, named: name)
    }
  }

  private func artifact(
    _ value: JSONValue, _ kind: ArtifactKind, named name: String
  ) throws(WireError) -> InspectionNode {
    let bytes = try value.base64URL
    var node = inspect(bytes, as: kind)
    node.name = name
    node.note = node.note ?? "\(kind.title), \(byteCount(bytes.count))"
    return decoded(node, of: value)
  }

  /// Places a decoded artifact at the position of its text. Offsets below it count from the start of the decoded bytes.
  private func decoded(_ node: InspectionNode, of value: JSONValue) -> InspectionNode {
    var node = node
    node.span = value.encoded.indices
    return node
  }

  private func object(
    _ value: JSONValue, _ fields: [JSONField], named name: String
  ) throws(WireError) -> InspectionNode {
    var node = InspectionNode(name)
    var missing = fields.filter(\.isRequired)
    for member in try value.members {
      let field = fields.first { $0.name == member.name }
      missing.removeAll { $0.name == member.name }
      let isAbsent = member.value.isNull && field?.isNullable ?? false
      let shape = isAbsent ? .any : field?.shape ?? .any
      node.children.append(json(member.value, as: shape, named: member.name.escapedForTerminal))
    }
    node.note = node.children.isEmpty ? "empty" : nil
    node.problems = missing.map { field in
      InspectionProblem(WireError(.jsonMissingMember, at: value.offset), "\(field.name) is missing")
    }
    return node
  }

  private func plain(_ value: JSONValue, named name: String) -> InspectionNode {
    var node = InspectionNode(name, span: value.encoded.indices)
    if let members = try? value.members {
      node.children = members.map { plain($0.value, named: $0.name.escapedForTerminal) }
      node.note = node.children.isEmpty ? "empty" : nil
    } else if let items = try? value.array {
      node.children = items.enumerated().map { plain($0.element, named: "[\($0.offset)]") }
      node.note = node.children.isEmpty ? "empty" : nil
    } else if let text = try? value.string {
      node.value = .text(text.quotedForTerminal)
    } else {
      node.value = .text(String(decoding: value.encoded, as: UTF8.self))
    }
    return node
  }

  private static let excerptLength = 24

  /// Returns the text around an error, with the position of the error marked.
  private static func excerpt(of text: Bytes, at offset: Int) -> String {
    let before = text[..<offset].suffix(excerptLength)
    let after = text[offset...].prefix(excerptLength)
    let start = before.startIndex > text.startIndex ? "…" : ""
    let end = after.endIndex < text.endIndex ? "…" : ""
    func shown(_ part: Bytes) -> String { String(decoding: part, as: UTF8.self).escapedForTerminal }
    return start + shown(before) + "▸" + shown(after) + end
  }
}

extension JSONShape {
  fileprivate var expectation: String? {
    switch self {
    case .any: nil
    case .text: "expected a string"
    case .number: "expected a number"
    case .bool: "expected true or false"
    case .identifier, .artifact, .signature: "expected base64url"
    case .algorithm: "expected an integer"
    case .array: "expected an array"
    case .object: "expected an object"
    }
  }
}

extension Inspector {
  /// Takes client data apart (WebAuthn §5.8.1).
  func clientData(_ text: Bytes, named name: String) -> InspectionNode {
    // §7.1 step 5 decodes it as UTF-8, which drops a byte order mark.
    json(JSON.withoutByteOrderMark(text), named: name, .clientData)
  }

  /// Takes a response apart. The origin in its client data yields candidate RP IDs for the hash in its authenticator data.
  func response(_ text: Bytes, named name: String, _ shape: JSONShape) -> InspectionNode {
    var inspector = self
    inspector.relyingPartyIDs = Self.relyingPartyIDs(in: text) + relyingPartyIDs
    return inspector.json(text, named: name, shape)
  }

  /// The length of the longest host name (RFC 1035 §2.3.4).
  private static let maximumHostLength = 253

  /// Returns the host of the response's origin, and every parent domain.
  private static func relyingPartyIDs(in text: Bytes) -> [String] {
    guard let value = try? JSON.parse(text), let response = try? unwrapped(value, .any)["response"],
      let clientData = try? response["clientDataJSON"]?.base64URL,
      let origin = try? JSON.parse(clientData)["origin"]?.string,
      let host = origin.split(separator: "/").dropFirst().first?.split(separator: ":").first,
      host.utf8.count <= maximumHostLength
    else { return [] }
    let labels = host.split(separator: ".")
    return labels.indices.map { labels[$0...].joined(separator: ".") }
  }
}
