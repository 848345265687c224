// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import PasskeyCrypto
internal import PasskeySystem
package import WebAuthnAuthenticator
internal import WebAuthnClient
package import WebAuthnTypes

/// Asks the questions of the device and of the client about the running ceremony.
package final class BrowserInteraction: UserInteraction, ClientInteraction {
  private let source: any ApprovalSource
  private let userName: String?
  private let knownPIN: SecretBytes?
  private let ceremony = Locked<Ceremony?>(nil)

  /// The running ceremony.
  struct Ceremony: Sendable {
    let id: Int64
    let origin: WebOrigin
    let isCrossOrigin: Bool
    /// The user of a registration.
    let userName: String?
  }

  /// Creates an interaction. `userName` selects among several passkeys without a question, by name or user handle.
  package init(_ source: any ApprovalSource, userName: String? = nil, knownPIN: SecretBytes? = nil) {
    self.source = source
    self.userName = userName
    self.knownPIN = knownPIN
  }

  func begin(_ begun: Ceremony) {
    ceremony.withLock { (ceremony) in ceremony = begun }
  }

  package func cancel() async {
    await source.cancel()
  }

  private func ask(_ kind: Question.Kind, for relyingParty: String?) async -> QuestionAnswer {
    // The device asks nothing between ceremonies.
    guard let ceremony = ceremony.withLock({ (ceremony) in ceremony }) else { return .refused }
    return await source.answer(
      to: Question(
        kind: kind, origin: ceremony.origin, isCrossOrigin: ceremony.isCrossOrigin, relyingPartyID: relyingParty),
      in: ceremony.id)
  }
}

// MARK: Questions of the device

extension BrowserInteraction {
  package func confirmPresence(for purpose: InteractionPurpose) async -> PresenceAnswer {
    switch await answer(to: purpose) {
    case .approved: .confirmed
    case .cancelled: .cancelled
    case .refused, .chosen, .pin: .refused
    }
  }

  package func readFinger(for purpose: InteractionPurpose) async -> FingerAnswer {
    switch await answer(to: purpose) {
    case .approved: .finger(0)
    case .cancelled: .cancelled
    case .refused, .chosen, .pin: .refused
    }
  }

  private func answer(to purpose: InteractionPurpose) async -> QuestionAnswer {
    let begun = ceremony.withLock { (ceremony) in ceremony?.userName }
    switch purpose.act {
    case .register: return await ask(.create(user: purpose.userName ?? begun), for: purpose.relyingPartyID)
    // After a failed search the device only waits for a gesture, so that the page cannot tell the two apart.
    case .signIn, .selectDevice: return await ask(.signIn(user: purpose.userName), for: purpose.relyingPartyID)
    case .excludedCredential: return await ask(.revealExisting, for: purpose.relyingPartyID)
    // A page cannot ask for these.
    case .reset, .enrollFinger, .configure: return .refused
    }
  }
}

// MARK: Questions of the client

extension BrowserInteraction {
  package func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? {
    if let userName {
      return users.firstIndex { (user) in user.name == userName }
        ?? users.firstIndex { (user) in user.id.description == userName }
    }
    guard case .chosen(let index) = await ask(.choose(users), for: relyingParty.text) else { return nil }
    return index
  }

  package func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? {
    if let knownPIN { return knownPIN }
    guard case .pin(let pin) = await ask(.pin(attemptsLeft: attemptsLeft), for: relyingParty.text) else { return nil }
    return pin
  }
}
