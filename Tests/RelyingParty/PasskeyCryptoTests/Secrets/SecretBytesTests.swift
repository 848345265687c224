// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SecretBytesTests {
  @Test func `lends the original bytes`() {
    let secret = SecretBytes([0x01, 0x02, 0x03])
    #expect(secret.count == 3)
    secret.withBytes { (bytes) in #expect(Array(bytes) == [0x01, 0x02, 0x03]) }
    #expect(secret.exposedBytes == [0x01, 0x02, 0x03])
    #expect(SecretBytes(utf8: "aß").exposedBytes == [0x61, 0xc3, 0x9f])
  }

  @Test func `secrets are equal if their bytes are`() {
    #expect(SecretBytes([0x01]) == SecretBytes([0x01]))
    #expect(SecretBytes([0x01]) != SecretBytes([0x02]))
    #expect(SecretBytes([0x01]) != SecretBytes([0x01, 0x00]))
    #expect(SecretBytes([]) == SecretBytes([]))
  }

  @Test func `no description reveals the bytes`() {
    let secret = SecretBytes(utf8: "hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    #expect("\(secret)" == "7 secret bytes")
    #expect(String(reflecting: secret) == "7 secret bytes")
    #expect(!dumped.contains("104") && dumped.contains("7 secret bytes"))
  }

  @Test func `wipes an array in place`() {
    var bytes = [UInt8](repeating: 0xa5, count: 4096)
    let before = unsafe bytes.withUnsafeBytes { (buffer) in buffer.baseAddress }
    bytes.wipe()
    let after = unsafe bytes.withUnsafeBytes { (buffer) in buffer.baseAddress }
    #expect(unsafe before == after)
    #expect(bytes.allSatisfy { $0 == 0 })
    var none: [UInt8] = []
    none.wipe()
    #expect(none.isEmpty)
  }

  @Test func `compares bytes for equality`() {
    #expect(constantTimeEquals([], []))
    #expect(constantTimeEquals([0x01, 0x02], [0x00, 0x01, 0x02][1...]))
    #expect(!constantTimeEquals([0x01, 0x02], [0x01, 0x03]))
    #expect(!constantTimeEquals([0x01, 0x02], [0x01]))
    #expect(!constantTimeEquals([], [0x00]))
  }
}
