// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeySystem
import WebAuthnClient
import WebAuthnTypes

/// A user with scripted answers that records the questions.
final class TestInteraction: ClientInteraction {
  private struct Memory {
    var pins: [String?]
    var choice: Int?
    var attemptsLeft: [UInt64?] = []
    var offered: [PasskeyUser] = []
  }

  private let memory: Locked<Memory>

  /// The PINs in order, of which the last one is repeated; and the passkey to choose.
  init(pins: [String?] = [nil], choice: Int? = nil) {
    memory = Locked(Memory(pins: pins, choice: choice))
  }

  /// The number of remaining attempts in each PIN question.
  var attemptsLeft: [UInt64?] { memory.withLock { (memory) in memory.attemptsLeft } }

  /// The users that were offered for choice.
  var offered: [PasskeyUser] { memory.withLock { (memory) in memory.offered } }

  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? {
    memory.withLock { (memory) in
      memory.offered = users
      return memory.choice
    }
  }

  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? {
    memory.withLock { (memory) in
      memory.attemptsLeft.append(attemptsLeft)
      let pin = memory.pins.count > 1 ? memory.pins.removeFirst() : memory.pins.first ?? nil
      return pin.map { (pin) in SecretBytes(utf8: pin) }
    }
  }
}
