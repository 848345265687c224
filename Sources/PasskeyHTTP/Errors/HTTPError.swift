// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Why a request is refused before anybody has looked at what it asks, or why the server does not start. The one error of
/// this floor.
public struct HTTPError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// The member of the body that is at fault, where one is, such as `response.signature`.
  public let member: String?

  /// What the system or the library beneath said, for the log and not for the client.
  public let detail: String?

  /// The fault in the encoding, where that is what is wrong.
  public let wireError: WireError?

  /// Makes an error.
  public init(_ code: Code, member: String? = nil, detail: String? = nil) {
    self.code = code
    self.member = member
    self.detail = detail
    self.wireError = nil
  }

  /// Wraps an error of the floor below.
  public init(_ code: Code, _ wireError: WireError, member: String? = nil) {
    self.code = code
    self.member = member
    self.detail = nil
    self.wireError = wireError
  }
}

extension HTTPError: CustomStringConvertible {
  /// The code and what is known besides, for a log line.
  public var description: String {
    var text = code.rawValue
    if let member { text += " (\(member))" }
    if let detail { text += ": \(detail)" }
    if let wireError { text += ": \(wireError)" }
    return text
  }
}
