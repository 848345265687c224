// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

/// What a platform sends for outputs of hmac-secret (CTAP 2.3 §12.7): salts that only the device can read.
public struct HMACSecretInput: Hashable, Sendable {
  /// 0x01: the platform's side of the key agreement.
  public var keyAgreement: COSEKey

  /// 0x02: one salt or two, encrypted with the shared secret.
  public var encryptedSalts: Bytes

  /// 0x03: the encrypted salts' tag.
  public var saltAuthentication: Bytes

  /// 0x04: the PIN/UV auth protocol, one where nothing is said.
  public var pinUVAuthProtocol: UInt64?

  /// Puts an input together.
  public init(
    keyAgreement: COSEKey, encryptedSalts: Bytes, saltAuthentication: Bytes, pinUVAuthProtocol: UInt64? = nil
  ) {
    self.keyAgreement = keyAgreement
    self.encryptedSalts = encryptedSalts
    self.saltAuthentication = saltAuthentication
    self.pinUVAuthProtocol = pinUVAuthProtocol
  }

  init(_ input: CommandParameters) throws(CTAPError) {
    keyAgreement = try input.keyAgreement(0x01)
    encryptedSalts = try input.bytes(0x02)
    saltAuthentication = try input.bytes(0x03)
    pinUVAuthProtocol = try input.optionalUnsigned(0x04)
  }

  var tree: CBORTree {
    var input: [CBORKey: CBORTree] = [
      0x01: keyAgreement.tree, 0x02: .bytes([UInt8](encryptedSalts)), 0x03: .bytes([UInt8](saltAuthentication)),
    ]
    input[0x04] = pinUVAuthProtocol.map { .unsigned($0) }
    return .map(input)
  }
}

extension CommandParameters {
  /// The platform's public key that has to stand with `key`.
  package func keyAgreement(_ key: CBORKey) throws(CTAPError) -> COSEKey {
    let value = try require(key) { (value) throws(WireError) in
      _ = try value.map
      return value
    }
    do throws(COSEError) {
      return try COSEKey(value, rules: .canonical)
    } catch {
      throw CTAPError(.invalidParameter, "\(error)")
    }
  }
}
