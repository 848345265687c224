// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

/// An error of a ceremony or of a related server operation. The only error type of this module.
public struct CeremonyError: Error, Sendable {
  /// The error code.
  public let code: Code

  /// The number of the failed step of the standard: of §7.1 for a registration, of §7.2 for an authentication. Nil for
  /// checks before the first step, such as an expired ceremony.
  public let step: Int?

  /// The expected and the received value, if the check compared two values.
  package let comparison: Comparison?

  /// The underlying error, if a lower module reported it.
  package let cause: Cause?

  /// The expected and the received value, as text for a log. Never contains a key or a secret.
  package struct Comparison: Hashable, Sendable {
    /// The accepted value.
    package let expected: String
    /// The received value.
    package let received: String

    init(_ expected: String, _ received: String) {
      self.expected = expected
      self.received = received
    }
  }

  init(_ code: Code, step: Int? = nil, _ comparison: Comparison? = nil, cause: Cause? = nil) {
    self.code = code
    self.step = step
    self.comparison = comparison
    self.cause = cause
  }
}

extension CeremonyError.Comparison {
  /// Creates the comparison of a received hash with the hash of `name`, an RP ID or an AppID.
  init(hash received: Bytes, with expected: [UInt8], of name: String) {
    let text = "\(Hex.encode(expected)) (SHA-256 of \(name))"
    self.init(text, received.elementsEqual(expected) ? text : Hex.encode(received))
  }
}

extension CeremonyError: CustomStringConvertible {
  /// The code, the step, the comparison and the cause, for a log line.
  public var description: String {
    var text = code.rawValue
    if let step { text += " in step \(step)" }
    if let comparison { text += ": expected \(comparison.expected), received \(comparison.received)" }
    if let cause { text += ": \(cause.error)" }
    return text
  }
}
