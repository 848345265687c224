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
  /// The code, the member, the offset and what lies beneath or would be right, for a log line.
  public var description: String {
    let cause = member.map { "\(code.rawValue) (\($0))" } ?? code.rawValue
    if let wireError { return "\(cause): \(wireError)" }
    return "\(cause) at offset \(offset)\(form.map { ": \($0)" } ?? "")"
  }

  /// How it is written, of what people write into a configuration.
  private var form: String? {
    switch code {
    case .originInvalid: "an origin is written as https://raxx.app:8443, in lower case and with nothing behind it"
    case .relyingPartyIDInvalid: "an RP ID is a domain in lower case, as raxx.app is"
    default: nil
    }
  }
}
