// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// Proof that a user confirmed one act in one session at one moment. Only a finished ceremony makes one.
public struct StepUpProof: Hashable, Sendable {
  /// Who confirmed.
  public let user: UserHandle
  /// With which credential.
  public let credentialID: CredentialID
  /// In which session.
  public let session: [UInt8]
  /// SHA-256 of the act's exact bytes.
  public let actionDigest: [UInt8]
  /// When.
  public let time: Timestamp

  init(user: UserHandle, credentialID: CredentialID, action: StepUpAction, time: Timestamp) {
    self.user = user
    self.credentialID = credentialID
    session = action.session
    actionDigest = action.digest
    self.time = time
  }
}

extension StepUpProof: CustomStringConvertible, CustomReflectable {
  /// Who confirmed which act, for a log line. The session may be named by its token, and is not told.
  public var description: String { "the act \(Hex.encode(actionDigest)), confirmed by \(user) at \(time)" }

  /// The same for whoever looks inside.
  public var customMirror: Mirror { Mirror(self, children: ["actionDigest": Hex.encode(actionDigest), "user": user]) }
}
