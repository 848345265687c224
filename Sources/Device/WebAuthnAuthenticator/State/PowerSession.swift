// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto

/// The volatile state of an authenticator, lost on power-down.
struct PowerSession: Sendable {
  /// The device's key agreement keys, renewed at each power-up and after each wrong PIN (CTAP 2.3 §6.5.5.1).
  var keyAgreement: KeyAgreementPair

  /// The number of consecutive wrong PINs. After three, only a power cycle helps, and no more attempts are consumed.
  var consecutiveWrongPINs = 0

  /// The token issued last. It may have expired; use `currentToken` to get a token that is in use.
  var token: PINUVAuthToken?

  /// The unfinished command sequences.
  var sequences = CommandSequences()

  init(random: RandomSource) throws(PasskeyCryptoError) {
    keyAgreement = try KeyAgreementPair(random: random)
  }

  /// The number of consecutive wrong PINs after which only a power cycle helps (§6.5.5.6, step 7).
  static let maximumConsecutiveWrongPINs = 3

  /// Whether the device rejects every PIN until a power cycle (`powerCycleState`).
  var needsPowerCycle: Bool { consecutiveWrongPINs >= Self.maximumConsecutiveWrongPINs }
}

/// The device's key agreement keys, one per PIN/UV auth protocol. A wrong PIN renews the key of its protocol.
struct KeyAgreementPair: Sendable {
  private var one: KeyAgreement
  private var two: KeyAgreement

  init(random: RandomSource) throws(PasskeyCryptoError) {
    one = try KeyAgreement(random: random)
    two = try KeyAgreement(random: random)
  }

  subscript(version: PINProtocol) -> KeyAgreement {
    get {
      switch version {
      case .one: one
      case .two: two
      }
    }
    set {
      switch version {
      case .one: one = newValue
      case .two: two = newValue
      }
    }
  }
}
