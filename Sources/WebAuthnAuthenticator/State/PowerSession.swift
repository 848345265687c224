// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// What a device knows only while it has power.
struct PowerSession: Sendable {
  /// The device's side of the key agreement, new with each power-up and after each wrong PIN (CTAP 2.3 §6.5.5.1).
  var keyAgreement: KeyAgreementPair

  /// Wrong PINs in a row: after three only a power cycle helps, and retries fall no further.
  var consecutiveWrongPINs = 0

  /// The one token that was given out last. Whether it is still in use, the authenticator knows.
  var token: PINUVAuthToken?

  /// The unfinished sequences of commands.
  var sequences = CommandSequences()

  init(random: RandomSource) throws(CryptoError) {
    keyAgreement = try KeyAgreementPair(random: random)
  }

  /// Wrong PINs in a row after which only a power cycle helps (§6.5.5.6, step 7).
  static let maximumConsecutiveWrongPINs = 3

  /// Whether PINs are refused, right or wrong, until the power is gone (`powerCycleState`).
  var needsPowerCycle: Bool { consecutiveWrongPINs >= Self.maximumConsecutiveWrongPINs }
}
