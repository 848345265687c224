// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Why bytes are not the WebAuthn structure that they should be. The one error of this floor.
public struct FormatError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// Where, as an index into the array from which the bytes are a slice.
  public let offset: Int

  /// The member that is at fault, where one is, such as `response.signature`.
  public let member: String?

  /// The fault in the encoding itself, where that is what is wrong.
  public let wireError: WireError?

  /// Makes an error about the structure.
  public init(_ code: Code, at offset: Int, member: String? = nil) {
    self.code = code
    self.offset = offset
    self.member = member
    self.wireError = nil
  }

  /// Wraps an error of the floor below.
  public init(_ code: Code, _ wireError: WireError, member: String? = nil) {
    self.code = code
    self.offset = wireError.offset
    self.member = member
    self.wireError = wireError
  }
}

extension FormatError: CustomStringConvertible {
  /// The code, the member, the offset and what lies beneath, for a log line.
  public var description: String {
    let cause = member.map { "\(code.rawValue) (\($0))" } ?? code.rawValue
    guard let wireError else { return "\(cause) at offset \(offset)" }
    return "\(cause): \(wireError)"
  }
}
