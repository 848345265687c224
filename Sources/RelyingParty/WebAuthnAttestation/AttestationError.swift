// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

/// The reason for refusing an attestation or metadata. The only error type of this module.
public struct AttestationError: Error, Hashable, Sendable {
  /// The error code.
  public let code: Code

  /// Details or compared values, as text for a log.
  package let detail: String?

  /// The underlying parse error, if the bytes are malformed.
  package let wireError: WireError?

  /// The underlying error of the cryptography module, if it reported one.
  package let cryptoError: PasskeyCryptoError?

  /// Creates an error without an underlying one.
  package init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
    wireError = nil
    cryptoError = nil
  }

  /// Wraps a parse error.
  package init(_ code: Code, _ wireError: WireError, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
    self.wireError = wireError
    cryptoError = nil
  }

  /// Wraps an error of the cryptography module.
  package init(_ code: Code, _ cryptoError: PasskeyCryptoError, _ detail: String? = nil) {
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
  /// The code, the detail and the underlying error, for a log line.
  public var description: String {
    var text = code.rawValue
    if let detail { text += ": \(detail)" }
    if let wireError { text += ": \(wireError)" }
    if let cryptoError { text += ": \(cryptoError)" }
    return text
  }
}
