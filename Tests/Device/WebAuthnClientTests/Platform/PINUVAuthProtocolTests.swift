// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct PINUVAuthProtocolTests {
  @Test(arguments: PINUVAuthProtocol.allCases)
  func `both sides derive the same secret`(_ version: PINUVAuthProtocol) throws {
    let device = try KeyAgreement(random: .system)
    let platform = try PlatformSecret(version, with: device.publicKey, random: .system)
    let point = try device.sharedSecret(with: platform.publicKey)
    let message = [UInt8](repeating: 5, count: 64)
    let encrypted = try platform.encrypt(SecretBytes(message[...]))
    #expect(encrypted.count == 64 + (version == .two ? 16 : 0))
    let key: SecretBytes
    if version == .one {
      key = point.withBytes { (point) in SecretBytes(Digest.sha256(point)[...]) }
    } else {
      key = try HKDF.derive(
        from: point, salt: [UInt8](repeating: 0, count: 32)[...], info: [UInt8]("CTAP2 AES key".utf8)[...],
        byteCount: 32)
    }
    let vector = version == .one ? AES256CBC.zeroVector[...] : encrypted.prefix(16)
    let decrypted = try AES256CBC.decrypt(
      version == .one ? encrypted[...] : encrypted.dropFirst(16), key: key, initialVector: vector)
    #expect(decrypted.exposedBytes == message)
    #expect(try platform.decrypt(encrypted[...]).exposedBytes == message)
    #expect(platform.authenticate([1]).count == (version == .one ? 16 : 32))
    #expect(throws: ClientError.self) { try platform.decrypt(encrypted.dropLast()) }
    if version == .two { #expect(throws: ClientError.self) { try platform.decrypt([1, 2, 3]) } }
  }

  @Test(arguments: [
    (PINUVAuthProtocol.one, 16, true), (.one, 32, true), (.one, 48, false), (.one, 0, false), (.two, 16, false),
    (.two, 32, true), (.two, 64, false),
  ])
  func `a token has its protocol's length`(_ version: PINUVAuthProtocol, _ count: Int, _ isToken: Bool) {
    let bytes = SecretBytes([UInt8](repeating: 1, count: count)[...])
    #expect(((try? PINUVAuthToken(bytes, version)) != nil) == isToken)
  }
}
