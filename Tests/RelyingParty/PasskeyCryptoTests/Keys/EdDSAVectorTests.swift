// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// RFC 8032 §7.1 and §7.4.
@Suite struct EdDSAVectorTests {
  struct Vector: Sendable {
    let algorithm: COSEAlgorithm
    let seed: String
    let publicKey: String
    let message: String
    let signature: String
  }

  @Test(arguments: vectors) func `matches the keys and signatures of RFC 8032`(vector: Vector) throws {
    let key = try SigningKey(vector.algorithm, privateKey: SecretBytes(hex(vector.seed)))
    guard case .okp(_, let publicKey) = key.publicKey.material else {
      Issue.record("not an Edwards key")
      return
    }
    let message = hex(vector.message)[...]
    #expect(Array(publicKey) == hex(vector.publicKey))
    #expect(try key.sign(message) == hex(vector.signature))
    #expect(try key.sign(message, .deterministic) == hex(vector.signature))
    try key.publicKey.verify(hex(vector.signature), over: message)
    #expect(throws: PasskeyCryptoError(.invalidSignature)) {
      try key.publicKey.verify(hex(vector.signature), over: message + [0x00])
    }
  }

  static let vectors = [
    Vector(
      algorithm: .ed25519,
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature: """
        e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b
        d25bf5f0595bbe24655141438e7a100b
        """),
    Vector(
      algorithm: .ed25519,
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature: """
        92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c
        387b2eaeb4302aeeb00d291612bb0c00
        """),
    Vector(
      algorithm: .ed25519,
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature: """
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659
        4a7c15e9716ed28dc027beceea1ec40a
        """),
    Vector(
      algorithm: .ed25519,
      seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd
        454d4423643ce80e2a9ac94fa54ca49f
        """,
      signature: """
        dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030
        3dca179c138ac17ad9bef1177331a704
        """),
    Vector(
      algorithm: .ed448,
      seed: """
        6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3528c8a3fcc2f044e39a3fc5b94492f8f
        032e7549a20098f95b
        """,
      publicKey: """
        5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6c
        d1fa1abeafe8256180
        """,
      message: "",
      signature: """
        533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d78
        28c59bd0a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db
        b61149f05a7363268c71d95808ff2e652600
        """),
    Vector(
      algorithm: .ed448,
      seed: """
        c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949e
        f8021e954e0a12274e
        """,
      publicKey: """
        43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c
        235160627b4c3a9480
        """,
      message: "03",
      signature: """
        26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633
        fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0f
        f3348ab21aa4adafd1d234441cf807c03a00
        """),
  ]
}
