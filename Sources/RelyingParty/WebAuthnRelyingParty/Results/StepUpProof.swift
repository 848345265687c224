// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// Proof that a user confirmed one action in one session at one time. Only a finished ceremony creates one.
public struct StepUpProof: Hashable, Sendable {
  /// The user who confirmed the action.
  public let user: UserHandle
  /// The credential that confirmed the action.
  public let credentialID: CredentialID
  /// The session of the confirmation.
  public let session: [UInt8]
  /// SHA-256 of the action's exact bytes.
  public let actionDigest: [UInt8]
  /// The time of the confirmation.
  public let time: UnixTime

  init(user: UserHandle, credentialID: CredentialID, action: StepUpAction, time: UnixTime) {
    self.user = user
    self.credentialID = credentialID
    session = action.session
    actionDigest = action.digest
    self.time = time
  }

  /// Whether the proof is for this action in this session.
  public func confirms(_ action: StepUpAction) -> Bool {
    session == action.session && actionDigest == action.digest
  }
}

extension StepUpProof: CustomStringConvertible, CustomReflectable {
  /// The action's digest, the user and the time, for a log line. Omits the session, which may be a secret token.
  public var description: String { "the action \(Hex.encode(actionDigest)), confirmed by \(user) at \(time)" }

  /// A mirror that omits the session as well.
  public var customMirror: Mirror { Mirror(self, children: ["actionDigest": Hex.encode(actionDigest), "user": user]) }
}
