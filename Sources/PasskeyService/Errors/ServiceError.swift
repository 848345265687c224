// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnRelyingParty
public import WebAuthnTypes

/// Why the service does not do what it was asked. The one error of this floor.
///
/// ``code`` says what really happened, for the log and the audit trail. An outsider is told ``publicCode`` alone: it does
/// not say which part of a sign-in was wrong, and "no such credential" and "another user's" look alike in it.
public struct ServiceError: Error, Sendable {
  /// The cause.
  public let code: Code

  /// What was expected or found, in words for a log; never a secret.
  public let detail: String?

  /// What a floor below said, where it was that floor that refused.
  public let cause: Cause?

  /// An error of a floor below, or of the store.
  public enum Cause: Sendable {
    /// The ceremony.
    case ceremony(CeremonyError)
    /// The response's form.
    case format(FormatError)
    /// The cryptography.
    case crypto(CryptoError)
    /// The store.
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

  /// The most exact code that there is, of whichever floor: the outcome in the audit trail.
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
  /// The code, and what lies beneath, for a log line.
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
