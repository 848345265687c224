// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Why bytes are not the WebAuthn structure that they should be. The one error of this floor.
public struct FormatError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// Where, as an index into the array from which the bytes are a slice.
  public let offset: Int

  /// The fault in the encoding itself, where that is what is wrong.
  public let wireError: WireError?

  /// Makes an error about the structure.
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
    self.wireError = nil
  }

  /// Wraps an error of the floor below.
  public init(_ code: Code, _ wireError: WireError) {
    self.code = code
    self.offset = wireError.offset
    self.wireError = wireError
  }

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    case authenticatorDataTruncated = "authenticator-data.truncated"
    case authenticatorDataTrailingBytes = "authenticator-data.trailing-bytes"
    case authenticatorDataMalformedKey = "authenticator-data.malformed-key"
    case authenticatorDataMalformedExtensions = "authenticator-data.malformed-extensions"
  }
}

extension FormatError: CustomStringConvertible {
  /// The code, the offset and what lies beneath, for a log line.
  public var description: String {
    guard let wireError else { return "\(code.rawValue) at offset \(offset)" }
    return "\(code.rawValue): \(wireError)"
  }
}
