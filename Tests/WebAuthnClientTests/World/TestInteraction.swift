// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import SystemCrypto
import SystemIO
import WebAuthnClient
import WebAuthnTypes

/// A person who knows what the test says, and remembers what they were asked.
final class TestInteraction: ClientInteraction {
  private struct Memory {
    var pins: [String?]
    var choice: Int?
    var attemptsLeft: [UInt64?] = []
    var offered: [PasskeyUser] = []
  }

  private let memory: Locked<Memory>

  /// PINs in the order in which they come to mind, the last one for ever; and which passkey is the one.
  init(pins: [String?] = [nil], choice: Int? = nil) {
    memory = Locked(Memory(pins: pins, choice: choice))
  }

  /// What was said of attempts with each question for a PIN.
  var attemptsLeft: [UInt64?] { memory.withLock { (memory) in memory.attemptsLeft } }

  /// Whom there was to choose among.
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
