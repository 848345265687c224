// SPDX-License-Identifier: Apache-2.0

/// The result of comparing the signature counter with the stored one (WebAuthn §6.1.1).
public enum CounterSignal: Hashable, Sendable {
  /// Both counters are zero: the authenticator does not count, as is usual for synchronized passkeys.
  case notCounted
  /// The counter increased.
  case increased(from: UInt32, to: UInt32)
  /// The counter did not increase. This indicates a cloned authenticator but does not prove one.
  case notIncreased(from: UInt32, to: UInt32)

  /// Whether the counter indicates a cloned authenticator.
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
