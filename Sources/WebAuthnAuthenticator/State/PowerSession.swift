// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// What a device knows only while it has power.
struct PowerSession: Sendable {
  /// The device's side of the key agreement, new with each power-up and after each wrong PIN (CTAP 2.3 §6.5.5.1).
  var keyAgreement: KeyAgreement

  /// Wrong PINs in a row: after three only a power cycle helps, and retries fall no further.
  var consecutiveWrongPINs = 0

  init(random: RandomSource) throws(CryptoError) {
    keyAgreement = try KeyAgreement(random: random)
  }
}
