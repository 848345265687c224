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
    if !path.isEmpty { text += " (\(path))" }
    if !detail.isEmpty { text += ": \(detail)" }
    if let wireError { text += ": \(wireError)" }
    return text
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
