// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnTypes

@testable import WebAuthnAuthenticator

// clientPIN from a platform.
extension TestPlatform {
  /// Performs a key agreement.
  func agree() async throws -> TestSecret {
    let answer = try await send(.clientPIN, [1: .unsigned(version.rawValue), 2: 2])
    guard let key = answer[1] else { throw CTAPError(.missingParameter, "keyAgreement") }
    return try version.encapsulate(COSEKey(parsing: CBORWriter.bytes(of: key)[...], rules: .canonical))
  }

  /// Returns the parameters of setPIN, so that tests can modify them.
  func settingPIN(_ pin: String, padded: [UInt8]? = nil) async throws -> TestMap {
    let secret = try await agree()
    let newPINEnc = try secret.encrypt(padded ?? Self.padded(pin))
    return [
      1: .unsigned(version.rawValue), 2: 3, 3: secret.platformKey, 4: .bytes(secret.authenticate(newPINEnc)),
      5: .bytes(newPINEnc),
    ]
  }

  func setPIN(_ pin: String) async throws {
    try await send(.clientPIN, settingPIN(pin))
  }

  /// Returns the parameters of changePIN.
  func changingPIN(_ old: String, to new: String, padded: [UInt8]? = nil) async throws -> TestMap {
    let secret = try await agree()
    let newPINEnc = try secret.encrypt(padded ?? Self.padded(new))
    let pinHashEnc = try secret.encrypt(Self.hash(old))
    return [
      1: .unsigned(version.rawValue), 2: 4, 3: secret.platformKey,
      4: .bytes(secret.authenticate(newPINEnc + pinHashEnc)), 5: .bytes(newPINEnc), 6: .bytes(pinHashEnc),
    ]
  }

  func changePIN(_ old: String, to new: String) async throws {
    try await send(.clientPIN, changingPIN(old, to: new))
  }

  /// Returns the parameters of getPinToken, and the secret to decrypt its reply.
  func askingForToken(_ pin: String) async throws -> (parameters: TestMap, secret: TestSecret) {
    let secret = try await agree()
    return (
      [
        1: .unsigned(version.rawValue), 2: 5, 3: secret.platformKey,
        6: .bytes(try secret.encrypt(Self.hash(pin))),
      ], secret
    )
  }

  /// Returns the parameters of the subcommands with permissions: 0x09 with a PIN, and 0x06 without.
  func askingForToken(
    _ pin: String?, _ permissions: UInt64, for relyingPartyID: String? = nil
  ) async throws -> (parameters: TestMap, secret: TestSecret) {
    let secret = try await agree()
    var parameters: TestMap = [
      1: .unsigned(version.rawValue), 2: pin == nil ? 6 : 9, 3: secret.platformKey, 9: .unsigned(permissions),
    ]
    if let pin { parameters[6] = .bytes(try secret.encrypt(Self.hash(pin))) }
    parameters[0x0a] = relyingPartyID.map { (id) in .text(id) }
    return (parameters, secret)
  }

  /// Requests a token with the default permissions.
  @discardableResult
  func token(_ pin: String) async throws -> SecretBytes {
    let (parameters, secret) = try await askingForToken(pin)
    return try secret.decrypt(await send(.clientPIN, parameters).bytes(2))
  }

  /// Requests a token with the PIN, or without one with a finger.
  @discardableResult
  func token(
    _ pin: String?, _ permissions: PINPermission, for relyingPartyID: String? = nil
  ) async throws -> SecretBytes {
    let (parameters, secret) = try await askingForToken(pin, UInt64(permissions.rawValue), for: relyingPartyID)
    return try secret.decrypt(await send(.clientPIN, parameters).bytes(2))
  }

  /// Returns the number of remaining PIN attempts.
  func pinRetries() async throws -> CBORTree? {
    try await send(.clientPIN, [1: .unsigned(version.rawValue), 2: 1])[3]
  }

  /// Returns the number of remaining built-in verification attempts.
  func fingerRetries() async throws -> CBORTree? {
    try await send(.clientPIN, [2: 7])[5]
  }

  /// Pads a PIN with zeros to 64 bytes.
  static func padded(_ pin: String) -> [UInt8] {
    let bytes = [UInt8](pin.utf8)
    return bytes + [UInt8](repeating: 0, count: max(0, 64 - bytes.count))
  }

  /// Returns the first half of a PIN's hash.
  static func hash(_ pin: String) -> [UInt8] {
    [UInt8](Digest.sha256([UInt8](pin.utf8)[...]).prefix(16))
  }
}
