// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO
internal import WebAuthnAuthenticator

/// A user interaction that reuses an earlier confirmation of the exact act, so that the vault's device does not ask
/// again.
struct ConfirmedInteraction: UserInteraction {
  /// Whether the earlier confirmation applies to the device's next question.
  final class Answer: Sendable {
    private let isYes = Locked(false)

    var holds: Bool { isYes.withLock { (isYes) in isYes } }

    func set(_ answer: Bool) {
      isYes.withLock { (isYes) in isYes = answer }
    }
  }

  let answer: Answer
  let otherwise: any UserInteraction

  func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    answer.holds ? .confirmed : await otherwise.confirmPresence(for: purpose)
  }

  func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    answer.holds ? .finger(0) : await otherwise.readFinger(for: purpose)
  }

  func cancel() async {
    await otherwise.cancel()
  }
}
