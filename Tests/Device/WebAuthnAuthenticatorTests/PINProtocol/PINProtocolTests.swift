// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct PINProtocolTests {
  /// Returns both sides' keys of one key agreement.
  private func agree(_ version: TestPINProtocol) throws -> (device: SharedSecret, platform: TestSecret) {
    let own = try KeyAgreement(random: .system)
    let platform = try version.encapsulate(own.publicKey)
    let platformKey = try COSEKey(parsing: CBORWriter.bytes(of: platform.platformKey)[...])
    return (try PINProtocol(number: version.rawValue).sharedSecret(own, with: platformKey), platform)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `each side decrypts the other's messages`(version: TestPINProtocol) throws {
    let (device, platform) = try agree(version)
    let message = [UInt8](0..<32)
    #expect(try device.decrypt(platform.encrypt(message)[...]).exposedBytes == message)
    #expect(try platform.decrypt(device.encrypt(SecretBytes(message[...]), random: .system)).exposedBytes == message)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `a tag is valid for its message only, in full length`(version: TestPINProtocol) throws {
    let (device, platform) = try agree(version)
    let tag = platform.authenticate([1, 2, 3])
    #expect(tag.count == (version == .one ? 16 : 32))
    try device.verify(tag[...], of: [1, 2, 3])
    for (wrong, message): ([UInt8], [UInt8]) in [
      (tag, [1, 2, 4]), (tag.dropLast(), [1, 2, 3]), (tag + [0], [1, 2, 3]), ([], [1, 2, 3]),
    ] {
      #expect(throws: CTAPError(.pinAuthInvalid)) { try device.verify(wrong[...], of: message[...]) }
    }
  }

  @Test func `the first half of a tag is invalid in protocol two`() throws {
    let (device, platform) = try agree(.two)
    let tag = platform.authenticate([7])
    #expect(throws: CTAPError(.pinAuthInvalid)) { try device.verify(tag.prefix(16), of: [7]) }
  }

  @Test func `protocol two never encrypts the same twice`() throws {
    let (device, _) = try agree(.two)
    let message = SecretBytes([UInt8](repeating: 0, count: 16)[...])
    #expect(try device.encrypt(message, random: .system) != device.encrypt(message, random: .system))
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `incomplete blocks are refused with the caller's error`(version: TestPINProtocol) throws {
    let (device, _) = try agree(version)
    for count in [1, 15, 17] {
      let bytes = [UInt8](repeating: 0, count: count)[...]
      expect(.invalidParameter) { try device.decrypt(bytes) }
      expect(.pinAuthInvalid) { try device.decrypt(bytes, failure: .pinAuthInvalid) }
    }
  }

  @Test func `a point that is not on the curve is refused`() throws {
    let own = try KeyAgreement(random: .system)
    let wrong = try COSEKey(
      algorithm: .ecdhESHKDF256,
      material: .ec2(
        curve: .p256, x: [UInt8](repeating: 1, count: 32)[...], y: [UInt8](repeating: 1, count: 32)[...]))
    expect(.invalidParameter) { try PINProtocol.two.sharedSecret(own, with: wrong) }
  }

  @Test func `there are two protocols`() throws {
    #expect(try PINProtocol(number: 1) == .one)
    #expect(try PINProtocol(number: 2) == .two)
    expect(.missingParameter) { try PINProtocol(number: nil) }
    for number: UInt64 in [0, 3, 258, .max] {
      expect(.invalidParameter) { try PINProtocol(number: number) }
    }
  }
}
