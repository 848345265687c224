// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The error type of this module: why the server rejected a request before it reached the service, or why the server
/// did not start.
public struct EndpointError: Error, Hashable, Sendable {
  /// The error code.
  public let code: Code

  /// The path of the invalid member of the body, such as `response.signature`; nil if the error concerns no member.
  public let member: String?

  /// The message of the operating system or the HTTP library, for the log; clients do not receive it.
  public let detail: String?

  /// The underlying decoding error, if there is one.
  package let wireError: WireError?

  /// Creates an error.
  public init(_ code: Code, member: String? = nil, detail: String? = nil) {
    self.code = code
    self.member = member
    self.detail = detail
    self.wireError = nil
  }

  /// Wraps an error of the wire formats.
  package init(_ code: Code, _ wireError: WireError, member: String? = nil) {
    self.code = code
    self.member = member
    self.detail = nil
    self.wireError = wireError
  }
}

extension EndpointError: CustomStringConvertible {
  /// The code, the member and the details, for a log line.
  public var description: String {
    var text = code.rawValue
    if let member { text += " (\(member))" }
    if let detail { text += ": \(detail)" }
    if let wireError { text += ": \(wireError)" }
    return text
  }
}
