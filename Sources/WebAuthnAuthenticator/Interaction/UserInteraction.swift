// SPDX-License-Identifier: Apache-2.0

/// The user of a device: the hand that touches it, the finger on its sensor.
public protocol UserInteraction: Sendable {
  /// Waits for a touch, or until the user refuses, time runs out or the command is cancelled.
  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer

  /// Waits for a finger on the sensor.
  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer

  /// Ends what is being waited for, which answers `cancelled`.
  func cancel() async
}

/// What the user is asked to confirm, so that whoever asks can show it.
public struct InteractionPurpose: Hashable, Sendable {
  /// The act.
  public enum Act: Hashable, Sendable {
    /// To make a credential.
    case register
    /// To sign in with one.
    case signIn
    /// To be the device that is meant, among several.
    case selectDevice
    /// To forget everything.
    case reset
    /// To learn a finger.
    case enrollFinger
    /// To be told that there is a credential already: none is made.
    case excludedCredential
    /// To change a setting.
    case configure
  }

  /// What is about to happen.
  public let act: Act

  /// For which RP ID, where the act has one.
  public let relyingPartyID: String?

  /// For whom, where the device knows.
  public let userName: String?

  /// Whether a long touch is wanted.
  public let needsLongTouch: Bool

  /// How long the platform is willing to wait, where it said so.
  public let timeLimit: Duration?

  /// Describes what is asked.
  public init(
    _ act: Act, relyingPartyID: String? = nil, userName: String? = nil, needsLongTouch: Bool = false,
    timeLimit: Duration? = nil
  ) {
    self.act = act
    self.relyingPartyID = relyingPartyID
    self.userName = userName
    self.needsLongTouch = needsLongTouch
    self.timeLimit = timeLimit
  }
}

/// What came of waiting for a touch.
public enum PresenceAnswer: Hashable, Sendable {
  /// The user touched.
  case confirmed
  /// The user said no.
  case refused
  /// Nobody came.
  case timedOut
  /// The platform has called it off.
  case cancelled
}

/// What came of waiting for a finger: which one it was (simulated fingers have numbers), or why there was none.
public enum FingerAnswer: Hashable, Sendable {
  /// A finger, by its number.
  case finger(UInt8)
  /// The user said no.
  case refused
  /// Nobody came.
  case timedOut
  /// The platform has called it off.
  case cancelled
}
