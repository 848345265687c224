// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The conversion of JSON to the types of Web IDL (§3.2, "JavaScript type mapping"). It continues after an error, to
/// report all of them.
struct WebIDLConversion {
  /// The values that Web IDL does not convert.
  private(set) var typeErrors: [BrowserRefusal] = []
  /// The strings that are not base64url.
  private(set) var encodingErrors: [BrowserRefusal] = []
  /// The values that the conversion changed.
  private(set) var changes: [BrowserOptions.Change] = []
  /// The positions of all members of dictionaries and sequences in the text, by path.
  private(set) var offsets: [String: Int] = [:]

  /// Converts a value. The result is nil if it is a value of the wrong type; then there are errors.
  mutating func convert(_ json: JSONValue, to type: WebIDLType, at path: String = "") -> ExtensionValue? {
    offsets[path] = json.offset
    let value = ScriptValue(json: json)
    switch type {
    case .string, .name:
      return scalar(.string(value.text), isUnchanged: json.kind == .string, type, json, path)
    case .base64URL:
      checkEncoding(value.text, json, path)
      return scalar(.string(value.text), isUnchanged: json.kind == .string, type, json, path)
    case .boolean:
      return scalar(.bool(value.boolean), isUnchanged: json.kind == .bool, type, json, path)
    case .long:
      let number = Double(value.int32)
      return scalar(.number(number), isUnchanged: json.kind == .number && value.number == number, type, json, path)
    case .unsignedLong:
      let number = Double(value.uint32)
      return scalar(.number(number), isUnchanged: json.kind == .number && value.number == number, type, json, path)
    case .sequence(let element): return sequence(json, of: element, type, path)
    case .record(let element): return record(json, of: element, type, path)
    case .dictionary(let members): return dictionary(json, members, type, path)
    }
  }

  private mutating func scalar(
    _ result: ExtensionValue, isUnchanged: Bool, _ type: WebIDLType, _ json: JSONValue, _ path: String
  ) -> ExtensionValue {
    if !isUnchanged { note(String(decoding: JSON.write(result.fragment), as: UTF8.self), type, json, path) }
    return result
  }

  private mutating func checkEncoding(_ text: String, _ json: JSONValue, _ path: String) {
    do throws(WireError) {
      _ = json.kind == .string ? try json.base64URL : try Base64URL.decode(text)
    } catch {
      // The offset of another value's error counts in its converted text.
      let fault = json.kind == .string ? error : WireError(error.code, at: json.offset)
      encodingErrors.append(.init(.encodingError, FormatError(.optionsInvalidMember, fault, member: path)))
    }
  }

  /// Web IDL §3.2.21. Of JSON's values only arrays are iterable objects.
  private mutating func sequence(
    _ json: JSONValue, of element: WebIDLType, _ type: WebIDLType, _ path: String
  ) -> ExtensionValue? {
    guard let elements = try? json.array else { return refuse(json, type, path) }
    return .array(
      elements.enumerated().compactMap { (index, item) in convert(item, to: element, at: "\(path)[\(index)]") })
  }

  /// Web IDL §3.2.23. The properties of an array are its indices.
  private mutating func record(
    _ json: JSONValue, of element: WebIDLType, _ type: WebIDLType, _ path: String
  ) -> ExtensionValue? {
    var members: [String: ExtensionValue] = [:]
    switch json.kind {
    case .object:
      for member in (try? json.members.map { $0 }) ?? [] {
        members[member.name] = convert(member.value, to: element, at: "\(path).\(member.name)")
      }
    case .array:
      note("{}", type, json, path)
      for (index, item) in ((try? json.array.map { $0 }) ?? []).enumerated() {
        members["\(index)"] = convert(item, to: element, at: "\(path).\(index)")
      }
    default: return refuse(json, type, path)
    }
    return .object(members)
  }

  /// Web IDL §3.2.17. Null is a dictionary without members, and so is an array, which has none of the
  /// properties.
  private mutating func dictionary(
    _ json: JSONValue, _ fields: [WebIDLMember], _ type: WebIDLType, _ path: String
  ) -> ExtensionValue? {
    guard json.kind == .object || json.kind == .array || json.isNull else { return refuse(json, type, path) }
    var members: [String: ExtensionValue] = [:]
    var missing: [String] = []
    for field in fields {
      let place = path.isEmpty ? field.name : "\(path).\(field.name)"
      if json.kind == .object, let value = try? json[field.name] {
        members[field.name] = convert(value, to: field.type, at: place)
      } else if field.isRequired {
        missing.append(place)
      }
    }
    if json.kind != .object {
      guard missing.isEmpty else { return refuse(json, type, path) }
      note("{}", type, json, path)
    }
    for place in missing {
      typeErrors.append(.init(.typeError, FormatError(.optionsMissingMember, at: json.offset, member: place)))
    }
    return .object(members)
  }

  private mutating func refuse(_ json: JSONValue, _ type: WebIDLType, _ path: String) -> ExtensionValue? {
    let fault = FormatError(.optionsInvalidMember, WireError(.jsonWrongType, at: json.offset), member: path)
    typeErrors.append(.init(.typeError, fault, "expected \(type.title)"))
    return nil
  }

  private mutating func note(_ result: String, _ type: WebIDLType, _ json: JSONValue, _ path: String) {
    let isAbsence = json.isNull && type.hasAbsentNull(at: path)
    let effect = isAbsence ? "reads \(result), as if it were absent" : "reads \(result)"
    changes.append(.init(member: path, offset: json.offset, effect: effect, isAbsence: isAbsence))
  }
}

extension WebIDLType {
  /// Whether null has the effect of an absent member. A null extension requests the extension.
  fileprivate func hasAbsentNull(at path: String) -> Bool {
    switch self {
    case .name, .boolean: true
    case .dictionary: ["authenticatorSelection", "extensions"].contains(path)
    default: false
    }
  }
}
