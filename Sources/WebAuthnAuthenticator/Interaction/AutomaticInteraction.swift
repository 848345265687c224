// SPDX-License-Identifier: Apache-2.0

/// A user who always agrees, or never.
public struct AutomaticInteraction: UserInteraction {
  private let agrees: Bool
  private let finger: UInt8

  private init(agrees: Bool, finger: UInt8) {
    self.agrees = agrees
    self.finger = finger
  }

  /// Touches at once, and puts the same finger on the sensor each time.
  public static func always(finger: UInt8 = 0) -> Self { Self(agrees: true, finger: finger) }

  /// Refuses at once.
  public static let never = Self(agrees: false, finger: 0)

  /// Confirmed, or refused.
  public func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    agrees ? .confirmed : .refused
  }

  /// The finger, or none.
  public func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    agrees ? .finger(finger) : .refused
  }

  /// Nothing is ever waited for.
  public func cancel() async {}
}
