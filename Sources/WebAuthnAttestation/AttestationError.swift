// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WireFormats

/// Why an attestation, or the metadata to judge it by, is refused. The one error of this floor.
public struct AttestationError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// What was at fault or compared, in words for a log.
  public let detail: String?

  /// The fault in the bytes themselves, where that is what is wrong.
  public let wireError: WireError?

  /// Why the floor of cryptography and certificates says no, where it does.
  public let cryptoError: CryptoError?

  /// Makes an error.
  public init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
    wireError = nil
    cryptoError = nil
  }

  /// Wraps an error of the codecs.
  public init(_ code: Code, _ wireError: WireError, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
    self.wireError = wireError
    cryptoError = nil
  }

  /// Wraps an error of the floor of cryptography.
  public init(_ code: Code, _ cryptoError: CryptoError, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
    wireError = nil
    self.cryptoError = cryptoError
  }

  init(_ code: Code, expected: some CustomStringConvertible, received: some CustomStringConvertible) {
    self.init(code, "expected \(expected), received \(received)")
  }
}

extension AttestationError: CustomStringConvertible {
  /// The code, the detail and what lies beneath, for a log line.
  public var description: String {
    var text = code.rawValue
    if let detail { text += ": \(detail)" }
    if let wireError { text += ": \(wireError)" }
    if let cryptoError { text += ": \(cryptoError)" }
    return text
  }
}
