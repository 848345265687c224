// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct HKDFTests {
  /// RFC 5869, appendix A.
  struct Vector: Sendable {
    let hash: COSEHash
    let material: [UInt8]
    let salt: [UInt8]
    let info: [UInt8]
    let extracted: String
    let expanded: String
  }

  @Test(arguments: vectors) func `matches the keys of RFC 5869`(vector: Vector) throws {
    let material = SecretBytes(vector.material)
    let expanded = hex(vector.expanded)
    let key = HKDF.extract(from: material, salt: vector.salt, with: vector.hash)
    #expect(key.exposedBytes == hex(vector.extracted))
    let output = try HKDF.expand(key, info: vector.info, byteCount: expanded.count, with: vector.hash)
    #expect(output.exposedBytes == expanded)
    let both = try HKDF.derive(
      from: material, salt: vector.salt, info: vector.info, byteCount: expanded.count, with: vector.hash)
    #expect(both == output)
  }

  @Test func `returns the requested bytes, up to 255 blocks`() throws {
    let key = HKDF.extract(from: SecretBytes(utf8: "secret"))
    let most = try HKDF.expand(key, info: [], byteCount: 255 * 32)
    #expect(most.count == 8160)
    #expect(try HKDF.expand(key, info: [], byteCount: 0).count == 0)
    for count in [1, 31, 32, 33] {
      #expect(try HKDF.expand(key, info: [], byteCount: count).exposedBytes == Array(most.exposedBytes.prefix(count)))
    }
    for count in [-1, 8161, Int.max] {
      #expect(throws: PasskeyCryptoError(.invalidLength, "HKDF output is limited to 8160 bytes")) {
        try HKDF.expand(key, info: [], byteCount: count)
      }
    }
  }

  static let vectors = [
    Vector(
      hash: .sha256, material: [UInt8](repeating: 0x0b, count: 22), salt: Array(0x00...0x0c), info: Array(0xf0...0xf9),
      extracted: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
      expanded: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
    Vector(
      hash: .sha256, material: Array(0x00...0x4f), salt: Array(0x60...0xaf), info: Array(0xb0...0xff),
      extracted: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
      expanded: """
        b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271
        cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
        """),
    Vector(
      hash: .sha256, material: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [],
      extracted: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
      expanded: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    Vector(
      hash: .sha1, material: [UInt8](repeating: 0x0b, count: 11), salt: Array(0x00...0x0c), info: Array(0xf0...0xf9),
      extracted: "9b6c18c432a7bf8f0e71c8eb88f4b30baa2ba243",
      expanded: "085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896"),
    Vector(
      hash: .sha1, material: Array(0x00...0x4f), salt: Array(0x60...0xaf), info: Array(0xb0...0xff),
      extracted: "8adae09a2a307059478d309b26c4115a224cfaf6",
      expanded: """
        0bd770a74d1160f7c9f12cd5912a06ebff6adcae899d92191fe4305673ba2ffe8fa3f1a4e5ad79f3f3
        34b3b202b2173c486ea37ce3d397ed034c7f9dfeb15c5e927336d0441f4c4300e2cff0d0900b52d3b4
        """),
    Vector(
      hash: .sha1, material: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [],
      extracted: "da8c8a73c7fa77288ec6f5e7c297786aa0d32d01",
      expanded: "0ac1af7002b3d761d1e55298da9d0506b9ae52057220a306e07b6b87e8df21d0ea00033de03984d34918"),
    Vector(
      hash: .sha1, material: [UInt8](repeating: 0x0c, count: 22), salt: [], info: [],
      extracted: "2adccada18779e7c2077ad2eb19d3f3e731385dd",
      expanded: "2c91117204d745f3500d636a62f64f0ab3bae548aa53d423b0d1f27ebba6f5e5673a081d70cce7acfc48"),
  ]
}
