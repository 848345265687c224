// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnTypes

/// An account.
struct Account {
  let handle: [UInt8]
  let email: String
  let created: UnixTime
  var failedSignIns = 0
}

/// A passkey of an account.
struct Passkey {
  let id: [UInt8]
  let owner: [UInt8]
  let key: COSEKey
  let aaguid: AAGUID
  let transports: [String]
  let isBackupEligible: Bool
  let created: UnixTime
  var isBackedUp: Bool
  var counter: UInt32
  var name: String
  var lastUsed: UnixTime?
  var isHidden = false
}

/// A session of an account. The refresh token is for one use; each renewal replaces both tokens.
struct Session {
  let id: String
  let owner: [UInt8]
  let passkey: [UInt8]
  let created: UnixTime
  var token: String
  var refreshToken: String
  /// The refresh tokens that were used. Another use of one of them ends the session.
  var usedRefreshTokens: Set<String> = []
  var expiry: UnixTime
  var lastSeen: UnixTime
  var opening: Opening

  /// The request that gave a session its tokens.
  enum Opening { case registration, signIn, renewal }
}

/// The purpose of a ceremony.
enum Purpose: Hashable {
  case registration, addition, signIn, stepUp, reverification

  /// The part of a fault's ID.
  var name: String {
    switch self {
    case .registration: "registration"
    case .addition: "addition"
    case .signIn: "sign-in"
    case .stepUp: "step-up"
    case .reverification: "reverify"
    }
  }
}

/// A ceremony that has begun and waits for the response of an authenticator.
struct Ceremony {
  let challenge: [UInt8]
  let purpose: Purpose
  let expiry: UnixTime
  /// The account that registers or confirms; for a sign-in the account whose name was given, if it exists.
  var account: Account?
  /// The session in which the ceremony began; nil if the person was not signed in.
  var session: String?
  /// The secret in the cookie of the browser that began the ceremony.
  var binding: String?
  /// The action that a step-up confirms.
  var action: Action?
  /// The recovery code or the invitation with which a registration began.
  var code: String?
  /// Whether a sign-in began with the address of no account.
  var isNameUnknown = false
  /// The account whose name a sign-in began with.
  var named: Account?
  /// The passkeys that the options list; any passkey if the list is empty.
  var allowed: [[UInt8]] = []
  /// Whether the options require user verification.
  var needsVerification = true

  /// The fault: the passkeys of all accounts can finish the ceremony.
  mutating func admitAnyPasskey() {
    account = nil
    allowed = []
  }
}

/// A request that a step-up confirms, byte by byte.
struct Action: Hashable {
  let method: String
  let path: String
  let bodyDigest: [UInt8]

  static let grantHeader = "passkey-step-up"
}

/// A proof of a step-up, for one request.
struct Grant {
  let token: String
  let session: String
  let owner: [UInt8]
  let action: Action
  let expiry: UnixTime
}

/// The failed sign-ins of a client.
struct Failures {
  /// The failures since the last pause.
  var count = 0
  /// The end of the pause in which the client is refused; nil if it was not refused yet.
  var pauseEnd: UnixTime?
}
