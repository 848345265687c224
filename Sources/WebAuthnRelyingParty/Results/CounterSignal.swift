// SPDX-License-Identifier: Apache-2.0

/// What the signature counter says (WebAuthn §6.1.1).
public enum CounterSignal: Hashable, Sendable {
  /// Both are zero: the authenticator does not count, as passkeys that move do not.
  case notCounted
  /// It went up.
  case increased(from: UInt32, to: UInt32)
  /// It did not go up: a sign, and no proof, that there are two of the authenticator.
  case notIncreased(from: UInt32, to: UInt32)

  /// Whether somebody should look at it.
  public var isSuspicious: Bool {
    if case .notIncreased = self { true } else { false }
  }

  init(stored: UInt32, received: UInt32) {
    if stored == 0, received == 0 {
      self = .notCounted
    } else {
      self = received > stored ? .increased(from: stored, to: received) : .notIncreased(from: stored, to: received)
    }
  }
}
