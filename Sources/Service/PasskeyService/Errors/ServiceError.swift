// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
public import PasskeyFormats
internal import PasskeyStorage
public import WebAuthnRelyingParty
public import WebAuthnTypes

/// The only error type that the service throws.
///
/// ``code`` is the exact cause, for the log and the audit trail. Show clients only ``publicCode``: it does not reveal
/// which part of a sign-in was wrong, and does not distinguish an unknown credential from another user's.
public struct ServiceError: Error, Sendable {
  /// The cause.
  public let code: Code

  /// The expected or received value, as text for a log. It never contains a secret.
  public let detail: String?

  /// The error of a lower layer, if that layer refused the request.
  public let cause: Cause?

  /// The signal for the client to remove the passkey that it presented or created: the service does not know it. Send it
  /// with the refusal; a page passes it to `PublicKeyCredential.signalUnknownCredential()`.
  public internal(set) var signal: CredentialSignal?

  /// The verification that began with the refusal, because the account awaits one (`sign-in.email-unverified`).
  public internal(set) var verification: StartedVerification?

  /// The number of codes that can still be tried (`email.code-refused`).
  public internal(set) var attemptsLeft: Int?

  /// The time from which the code is valid (`sign-up.code-too-early`).
  public internal(set) var notBefore: UnixTime?

  /// The origin of the page on which the ceremony took place, if it is not one of the relying party's. It is the client's
  /// own value and no secret.
  public private(set) var foreignOrigin: String?

  /// An error of a lower layer or of the store.
  public enum Cause: Sendable {
    /// A ceremony failed.
    case ceremony(CeremonyError)
    /// The response was malformed.
    case format(FormatError)
    /// A cryptographic operation failed.
    case crypto(PasskeyCryptoError)
    /// The store failed.
    case storage(StorageError)
  }

  init(_ code: Code, _ detail: String? = nil, cause: Cause? = nil) {
    self.code = code
    self.detail = detail
    self.cause = cause
  }

  init(_ error: StorageError) {
    let code: Code =
      switch error.code {
      case .full: .storageFull
      case .contended, .conflict: .storageContended
      case .unavailable, .timedOut, .readOnly: .storageUnavailable
      case .outcomeUnknown: .storageOutcomeUnknown
      default: .storageFailed
      }
    self.init(code, cause: .storage(error))
  }

  /// Returns the same error for a page of a foreign origin, which has a public code of its own.
  func withForeignOrigin(_ origin: String) -> ServiceError {
    var error = self
    error.foreignOrigin = origin
    return error
  }

  /// The most specific code of any layer, which is the outcome in the audit trail.
  public var innermostCode: String {
    switch cause {
    case .ceremony(let error)?: error.code.rawValue
    case .format(let error)?: error.code.rawValue
    case .crypto(let error)?: error.code.rawValue
    case .storage(let error)?: error.code.rawValue
    case nil: code.rawValue
    }
  }
}

extension ServiceError: CustomStringConvertible {
  /// The code, the detail and the cause, for a log line.
  public var description: String {
    var text = code.rawValue
    if let detail { text += ": \(detail)" }
    switch cause {
    case .ceremony(let error)?: text += ": \(error)"
    case .format(let error)?: text += ": \(error)"
    case .crypto(let error)?: text += ": \(error)"
    case .storage(let error)?: text += ": \(error)"
    case nil: break
    }
    return text
  }
}
