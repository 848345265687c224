// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// A pending proof that a person receives mail at an address, as stored. A correct code completes it once.
///
/// The store does not hold the code. The service derives it from the ID with a key (``AuthService/contact(of:withDevices:at:)``).
package struct EmailCeremony: Hashable, Sendable {
  /// The effect of a correct code.
  package enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// Creates the account in the payload.
    case signUp = "sign-up"
    /// Issues the code with which a sign-up at the address goes on.
    case newAddress = "new-address"
    /// Marks the address of the account as verified.
    case verification
    /// Replaces the address of the account.
    case addressChange = "address-change"
    /// Cancels the recovery of the account. The recovery code itself is an ``IssuedCode``.
    case recovery
    /// None: the record keeps a replaced address until its mail is sent.
    case replacedAddress = "replaced-address"
    /// None: the record keeps the address of an invitation that is mailed. The code itself is an ``IssuedCode``.
    case invitation
  }

  /// The key.
  package var id: EmailCeremonyID

  /// The effect of a correct code.
  package var purpose: Purpose

  /// The hash of the secret that completing requires besides the code: the token of the client that began the ceremony,
  /// or the code that cancels a recovery. For an invitation, its code.
  package var token: TokenDigest

  /// The account that the ceremony is about; nil for a sign-up, a new address, an invitation, and a recovery of an unknown
  /// address.
  package var account: UserHandle?

  /// The address that receives the mail.
  package var email: EmailAddress

  /// Whether no code is correct: the address was taken, or unknown.
  package var isDecoy: Bool

  /// The service's encoded data, opaque to the store: a ``PendingSignUp``, or the language of the mail.
  package var payload: [UInt8]

  /// The number of wrong codes.
  package var failedAttempts: Int

  /// The time when the ceremony began.
  package var created: UnixTime

  /// The time from which a recovery code is valid; nil for the other purposes.
  package var notBefore: UnixTime?

  /// The expiry time.
  package var expiry: UnixTime

  /// Creates a ceremony from its stored fields.
  package init(
    id: EmailCeremonyID, purpose: Purpose, token: TokenDigest, account: UserHandle?, email: EmailAddress,
    isDecoy: Bool = false, payload: [UInt8] = [], failedAttempts: Int = 0, created: UnixTime,
    notBefore: UnixTime? = nil, expiry: UnixTime
  ) {
    self.id = id
    self.purpose = purpose
    self.token = token
    self.account = account
    self.email = email
    self.isDecoy = isDecoy
    self.payload = payload
    self.failedAttempts = failedAttempts
    self.created = created
    self.notBefore = notBefore
    self.expiry = expiry
  }
}

extension EmailCeremony {
  /// The language of the client that began the ceremony, for its mail; nil if it is not known.
  package var language: String? {
    let text =
      purpose == .signUp ? PendingSignUp(parsing: payload)?.language : String(validating: payload, as: UTF8.self)
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension CallContext {
  /// The payload of an email ceremony that has only a language.
  var languagePayload: [UInt8] { Array((language ?? "").utf8) }
}

/// The key of an email ceremony. It grants nothing without the service's key.
package struct EmailCeremonyID: FixedBytes {
  /// The bytes.
  package let bytes: [UInt8]

  /// The length, the same as a UUID's.
  package static let byteCount = 16

  /// Creates an ID from bytes whose length is already checked.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(at time: UnixTime, random: RandomSource) throws(ServiceError) {
    bytes = try TimeOrderedBytes.draw(Self.byteCount, at: time, random)
  }
}
