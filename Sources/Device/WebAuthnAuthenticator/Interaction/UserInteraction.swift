// SPDX-License-Identifier: Apache-2.0

/// The interaction with the user of a device: touches and fingerprints.
///
/// A device calls these functions in its own isolation, so that an answer that is known at once costs no change of threads.
public protocol UserInteraction: Sendable {
  /// Waits for a touch, until the user refuses, the time limit expires or the command is cancelled.
  nonisolated(nonsending) func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer

  /// Waits for a finger on the sensor.
  nonisolated(nonsending) func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer

  /// Cancels the pending request, which returns `cancelled`.
  func cancel() async
}

/// The operation that the user is asked to confirm. A user interface can show it.
public struct InteractionPurpose: Hashable, Sendable {
  /// The kind of operation.
  package enum Act: Hashable, Sendable {
    /// Create a credential.
    case register
    /// Sign in with a credential.
    case signIn
    /// Select this device among several.
    case selectDevice
    /// Reset the device to its factory state.
    case reset
    /// Enroll a finger.
    case enrollFinger
    /// Report that an excluded credential exists. No credential is created.
    case excludedCredential
    /// Change a setting.
    case configure
  }

  /// The kind of operation.
  package let act: Act

  /// The RP ID, if the operation has one.
  package let relyingPartyID: String?

  /// The user's name, if the device knows it.
  package let userName: String?

  /// Whether a long touch is required.
  package let needsLongTouch: Bool

  /// The time limit that the platform requested, if any.
  package let timeLimit: Duration?

  /// Creates a description of the operation.
  package init(
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

/// The result of a request for a touch.
public enum PresenceAnswer: Hashable, Sendable {
  /// The user touched the device.
  case confirmed
  /// The user refused.
  case refused
  /// The user did not respond in time.
  case timedOut
  /// The platform cancelled the command.
  case cancelled
}

/// The result of a request for a finger. Simulated fingers are identified by number.
public enum FingerAnswer: Hashable, Sendable {
  /// The number of the finger.
  case finger(UInt8)
  /// The user refused.
  case refused
  /// The user did not respond in time.
  case timedOut
  /// The platform cancelled the command.
  case cancelled
}

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
  public nonisolated(nonsending) func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    agrees ? .confirmed : .refused
  }

  /// Returns the finger or `refused`.
  public nonisolated(nonsending) func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    agrees ? .finger(finger) : .refused
  }

  /// Does nothing, because no answer is ever pending.
  public func cancel() async {}
}
