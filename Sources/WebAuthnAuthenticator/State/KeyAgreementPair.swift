// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// The device's sides of the key agreement, one for each protocol: a wrong PIN renews the one that it came with.
struct KeyAgreementPair: Sendable {
  private var one: KeyAgreement
  private var two: KeyAgreement

  init(random: RandomSource) throws(CryptoError) {
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
