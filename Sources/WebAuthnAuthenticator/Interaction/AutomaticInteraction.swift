// SPDX-License-Identifier: Apache-2.0

/// A simulated user who always confirms, or always refuses.
public struct AutomaticInteraction: UserInteraction {
  private let agrees: Bool
  private let finger: UInt8

  private init(agrees: Bool, finger: UInt8) {
    self.agrees = agrees
    self.finger = finger
  }

  /// Returns a user who confirms immediately, always with the same finger.
  public static func always(finger: UInt8 = 0) -> Self { Self(agrees: true, finger: finger) }

  /// A user who refuses immediately.
  public static let never = Self(agrees: false, finger: 0)

  /// Returns `confirmed` or `refused`.
  public func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    agrees ? .confirmed : .refused
  }

  /// Returns the finger or `refused`.
  public func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    agrees ? .finger(finger) : .refused
  }

  /// Does nothing, because no answer is ever pending.
  public func cancel() async {}
}
