// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeySystem

/// A user interaction driven by gestures from the outside. Each gesture answers the pending request.
///
/// A gesture without a pending request is ignored, like a touch on a security key that does not blink.
public final class GestureInteraction: UserInteraction {
  /// A gesture of the user.
  public enum Gesture: Hashable, Sendable {
    /// Touches the device with this finger.
    case touch(finger: UInt8)
    /// Refuses the request.
    case refuse
  }

  private enum Event: Sendable {
    case gesture(Gesture)
    case timeout, cancellation
  }

  private struct Waiting: Sendable {
    var number = 0
    var continuation: CheckedContinuation<Event, Never>?
  }

  private let waiting = Locked(Waiting())
  private let timeLimit: Duration

  /// Creates an interaction that waits at most `timeLimit` for a gesture (30 seconds in CTAP 2.3 §6.5.2.1), or less if
  /// the platform's request has a shorter limit.
  public init(timeLimit: Duration = .seconds(30)) {
    self.timeLimit = timeLimit
  }

  /// Whether a request is pending.
  public var isWaiting: Bool {
    waiting.withLock { (waiting) in waiting.continuation != nil }
  }

  /// Answers the pending request with a gesture.
  public func perform(_ gesture: Gesture) {
    resume(.gesture(gesture))
  }

  /// Waits for a touch.
  public func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    switch await nextEvent(for: purpose) {
    case .gesture(.touch): .confirmed
    case .gesture(.refuse): .refused
    case .timeout: .timedOut
    case .cancellation: .cancelled
    }
  }

  /// Waits for a finger.
  public func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    switch await nextEvent(for: purpose) {
    case .gesture(.touch(let finger)): .finger(finger)
    case .gesture(.refuse): .refused
    case .timeout: .timedOut
    case .cancellation: .cancelled
    }
  }

  /// Cancels the pending request.
  public func cancel() async {
    resume(.cancellation)
  }

  private func nextEvent(for purpose: InteractionPurpose) async -> Event {
    let timer = Timer()
    let event = await withCheckedContinuation { (continuation: CheckedContinuation<Event, Never>) in
      let (number, earlier) = waiting.withLock { (waiting) in
        defer { waiting.continuation = continuation }
        waiting.number += 1
        return (waiting.number, waiting.continuation)
      }
      // Only one request can be pending. A new request cancels the previous one.
      earlier?.resume(returning: .cancellation)
      timer.start(min(timeLimit, purpose.timeLimit ?? timeLimit)) { [self] in resume(.timeout, only: number) }
    }
    timer.stop()
    return event
  }

  private func resume(_ event: Event, only number: Int? = nil) {
    let continuation = waiting.withLock { (waiting) -> CheckedContinuation<Event, Never>? in
      guard number ?? waiting.number == waiting.number else { return nil }
      defer { waiting.continuation = nil }
      return waiting.continuation
    }
    continuation?.resume(returning: event)
  }
}

/// A one-shot timer that can be stopped.
private final class Timer: Sendable {
  private let task = Locked<Task<Void, Never>?>(nil)

  func start(_ limit: Duration, _ action: @escaping @Sendable () -> Void) {
    let started = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      action()
    }
    task.withLock { (task) in task = started }
  }

  func stop() {
    task.withLock { (task) in task }?.cancel()
  }
}
