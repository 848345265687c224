// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

extension Error {
  /// The error's code, and those of the errors that it wraps, floor by floor.
  var codes: [String] {
    switch self {
    case let error as CeremonyError: [error.code.rawValue] + (error.cause?.codes ?? [])
    case let error as AttestationError:
      [error.code.rawValue] + (error.wireError?.codes ?? []) + (error.cryptoError?.codes ?? [])
    case let error as FormatError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as CryptoError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as COSEError: [error.code.rawValue] + (error.wireError?.codes ?? [])
    case let error as WireError: [error.code.rawValue]
    default: []
    }
  }
}

extension CeremonyError.Cause {
  fileprivate var codes: [String] {
    switch self {
    case .format(let error): error.codes
    case .key(let error): error.codes
    case .crypto(let error): error.codes
    case .attestation(let error): error.codes
    }
  }
}
