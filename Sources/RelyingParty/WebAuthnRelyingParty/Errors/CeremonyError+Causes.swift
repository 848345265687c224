// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAttestation
package import WebAuthnTypes

extension CeremonyError {
  /// An error of a lower module.
  package enum Cause: Sendable {
    /// The bytes do not have the required structure.
    case format(FormatError)
    /// The public key of the credential is malformed.
    case key(COSEError)
    /// The signature is invalid, or the cryptography library failed.
    case crypto(PasskeyCryptoError)
    /// The attestation was refused.
    case attestation(AttestationError)

    var error: any Error {
      switch self {
      case .format(let error): error
      case .key(let error): error
      case .crypto(let error): error
      case .attestation(let error): error
      }
    }
  }

  /// The codes of the errors of lower modules that caused this one, outermost first.
  public var causes: [String] { cause?.error.codes ?? [] }
}

extension Error {
  /// The code of the error, then those of the errors that caused it, outermost first.
  package var codes: [String] {
    switch self {
    case let error as CeremonyError: [error.code.rawValue] + error.causes
    case let error as AttestationError:
      [error.code.rawValue] + (error.wireError?.codes ?? []) + (error.cryptoError?.codes ?? [])
    case let error as FormatError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as PasskeyCryptoError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as COSEError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as WireError: [error.code.rawValue]
    default: []
    }
  }
}
