// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The error thrown when bytes are not a well-formed WebAuthn structure. It is the only error type that this module
/// throws.
public struct FormatError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// The position of the error, as an index into the array that the bytes are a slice of.
  package let offset: Int

  /// The invalid or missing member, if any, such as `response.signature`.
  package let member: String?

  /// The underlying encoding error, if any.
  package let wireError: WireError?

  /// Creates an error about the structure.
  package init(_ code: Code, at offset: Int, member: String? = nil) {
    self.code = code
    self.offset = offset
    self.member = member
    self.wireError = nil
  }

  /// Creates an error from an encoding error.
  package init(_ code: Code, _ wireError: WireError, member: String? = nil) {
    self.code = code
    self.offset = wireError.offset
    self.member = member
    self.wireError = wireError
  }

  /// The error as one of a text in which the parsed bytes begin at `start`.
  func moved(by start: Int) -> FormatError {
    guard let wireError else { return FormatError(code, at: offset + start, member: member) }
    return FormatError(code, WireError(wireError.code, at: wireError.offset + start), member: member)
  }
}

extension FormatError: CustomStringConvertible {
  /// The code, the member, the position, and the underlying error or the expected form, for a log line.
  public var description: String {
    let cause = member.map { "\(code.rawValue) (\($0))" } ?? code.rawValue
    if let wireError { return "\(cause): \(wireError)" }
    return "\(cause) at offset \(offset)\(expectedForm.map { ": \($0)" } ?? "")"
  }

  /// The expected form of values that people write into a configuration.
  private var expectedForm: String? {
    switch code {
    case .originInvalid: "expected an origin such as https://raxx.app:8443, in lower case and without a path"
    case .relyingPartyIDInvalid: "expected a lowercase domain such as raxx.app"
    default: nil
    }
  }
}
