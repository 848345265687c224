// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

/// What an assertion is asked for. One that was made for one purpose is refused for every other.
public enum AuthenticationPurpose: Hashable, Sendable {
  /// To begin a session.
  case signIn
  /// To confirm one act, inside a session.
  case stepUp(StepUpAction)
}

/// One act that is to be confirmed, and the session in which.
public struct StepUpAction: Hashable, Sendable {
  /// The session, by whatever name the server has for it.
  public let session: [UInt8]

  /// SHA-256 of the act's exact bytes.
  public let digest: [UInt8]

  /// The act whose bytes these are: for an HTTP request its method, path and body, say.
  public init(session: Bytes, action: Bytes) {
    self.session = [UInt8](session)
    digest = Digest.sha256(action)
  }

  init(session: [UInt8], digest: [UInt8]) {
    self.session = session
    self.digest = digest
  }
}
