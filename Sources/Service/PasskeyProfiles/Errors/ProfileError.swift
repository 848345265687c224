// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The error type of this module: a profile is invalid, or a message does not match its shape.
public struct ProfileError: Error, Hashable, Sendable {
  /// The error code.
  public let code: Code

  /// The path of the invalid member, such as `endpoints.me.response.user` in a profile or `user.id` in a message; empty
  /// for the whole document.
  public let path: String

  /// The expected or the found value, for display; empty if the code is sufficient.
  public let detail: String

  /// The place of the member in the document, if the document has it.
  package private(set) var position: Position?

  /// The decoding error, if there is one.
  package let wireError: WireError?

  /// Creates an error.
  package init(_ code: Code, at path: String = "", _ detail: String = "", cause: WireError? = nil) {
    self.code = code
    self.path = path
    self.detail = detail
    wireError = cause
  }
}

extension ProfileError: CustomStringConvertible {
  /// The code, the path and the details, for a log line or a terminal.
  public var description: String {
    var text = code.rawValue
    let place = [path.isEmpty ? nil : path, position.map(\.description)].compactMap(\.self)
    if !place.isEmpty { text += " (\(place.joined(separator: ", ")))" }
    if !detail.isEmpty { text += ": \(detail)" }
    if let wireError { text += ": \(wireError)" }
    return text
  }
}

extension ProfileError {
  /// A place in a text.
  package struct Position: Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int

    /// Returns the place of a byte.
    init(of offset: Int, in text: [UInt8]) {
      let before = text.prefix(upTo: min(max(offset, text.startIndex), text.endIndex))
      let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      line = lines.count
      column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
    }

    /// The line and the column in words.
    package var description: String { "line \(line), column \(column)" }
  }

  /// Returns the error with the place of its member in the document, or of the deepest member on the way to it.
  func located(in document: JSONValue, _ text: [UInt8]) -> Self {
    guard !path.isEmpty, let offset = Self.offset(of: path[...], in: document) else { return self }
    var error = self
    error.position = Position(of: offset, in: text)
    return error
  }

  /// Returns where a path such as `endpoints.me.response` ends; nil if not even its first member exists.
  private static func offset(of path: Substring, in value: JSONValue) -> Int? {
    if path.hasPrefix("[") {
      guard let end = path.firstIndex(of: "]"), let index = Int(path[..<end].dropFirst()),
        let element = (try? value.array)?.enumerated().first(where: { $0.offset == index })?.element
      else { return nil }
      return offset(of: path[end...].dropFirst(), in: element) ?? element.offset
    }
    let rest = path.hasPrefix(".") ? path.dropFirst() : path
    guard !rest.isEmpty, let members = try? value.members else { return nil }
    // Names may have dots: the longest one counts.
    let found = members.filter { (member) in
      guard rest.hasPrefix(member.name) else { return false }
      return [nil, ".", "["].contains(rest.dropFirst(member.name.count).first)
    }.max { $0.name.count < $1.name.count }
    return found.map { offset(of: rest.dropFirst($0.name.count), in: $0.value) ?? $0.nameOffset }
  }
}

extension ProfileError {
  /// The error codes. Raw values are stable: codes are added, never renamed or removed.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Profiles
    /// The profile is not JSON, or not a JSON object.
    case notJSON = "profile.not-json"
    /// The profile extends a profile that is not built in.
    case parentUnknown = "profile.parent-unknown"
    /// The profile has an unknown member; it is probably misspelled.
    case memberUnknown = "profile.member-unknown"
    /// A required member of the profile is missing.
    case memberMissing = "profile.member-missing"
    /// A member of the profile has an invalid value.
    case memberInvalid = "profile.member-invalid"
    /// The profile names an unknown endpoint.
    case endpointUnknown = "profile.endpoint-unknown"
    /// A shape refers to a named shape that the profile does not have, or to itself.
    case shapeUnknown = "profile.shape-unknown"
    /// A shape has a variable that is unknown or not available at its place.
    case variableUnknown = "profile.variable-unknown"
    /// A shape lacks a variable that the endpoint requires.
    case variableMissing = "profile.variable-missing"

    // Messages
    /// A message, or a member that must be an object, is not a JSON object.
    case messageNotObject = "message.not-object"
    /// A required member of a message is missing.
    case messageMemberMissing = "message.member-missing"
    /// A member of a message has an invalid type, format or length.
    case messageMemberInvalid = "message.member-invalid"
  }
}
