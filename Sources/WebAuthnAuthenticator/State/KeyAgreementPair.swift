// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// The device's key agreement keys, one per PIN/UV auth protocol. A wrong PIN renews the key of its protocol.
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
