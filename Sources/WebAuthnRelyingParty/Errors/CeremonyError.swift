// SPDX-License-Identifier: Apache-2.0

public import COSE
public import SystemCrypto
public import WebAuthnAttestation
public import WebAuthnTypes

/// Why a ceremony fails, or what a server does around one. The one error of this floor.
public struct CeremonyError: Error, Sendable {
  /// The cause.
  public let code: Code

  /// The numbered step of the standard that failed: of §7.1 for a registration, of §7.2 for an authentication. Nil for
  /// what comes before the first step, such as a ceremony that has expired.
  public let step: Int?

  /// What was compared, where two things were.
  public let comparison: Comparison?

  /// What a floor below said, where it was that floor that refused.
  public let cause: Cause?

  /// What was expected and what came, in words for a log; never a key or a secret.
  public struct Comparison: Hashable, Sendable {
    /// What would have been accepted.
    public let expected: String
    /// What came.
    public let received: String

    init(_ expected: String, _ received: String) {
      self.expected = expected
      self.received = received
    }
  }

  /// An error of a floor below.
  public enum Cause: Sendable {
    /// The bytes are not the structure that they should be.
    case format(FormatError)
    /// The credential's public key is not one.
    case key(COSEError)
    /// The signature, or the cryptography itself.
    case crypto(CryptoError)
    /// The attestation.
    case attestation(AttestationError)
  }

  init(_ code: Code, step: Int? = nil, _ comparison: Comparison? = nil, cause: Cause? = nil) {
    self.code = code
    self.step = step
    self.comparison = comparison
    self.cause = cause
  }
}

extension CeremonyError: CustomStringConvertible {
  /// The code, the step and what was compared, for a log line.
  public var description: String {
    var text = code.rawValue
    if let step { text += " in step \(step)" }
    if let comparison { text += ": expected \(comparison.expected), received \(comparison.received)" }
    switch cause {
    case .format(let error)?: text += ": \(error)"
    case .key(let error)?: text += ": \(error)"
    case .crypto(let error)?: text += ": \(error)"
    case .attestation(let error)?: text += ": \(error)"
    case nil: break
    }
    return text
  }
}
