// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// FIDO U2F Raw Message Formats §4 to §6, and CTAP 2.3 §10.
struct U2FTests {
  static let challenge = [UInt8](repeating: 0xc4, count: 32)
  static let application = Digest.sha256([UInt8]("raxx.app".utf8)[...])

  let device: TestDevice

  init() throws {
    device = try TestDevice(.withoutSensor)
  }

  private func send(
    _ instruction: UInt8, _ parameter: UInt8 = 0, _ data: [UInt8]
  ) async -> (data: Bytes, status: UInt16) {
    let apdu =
      [0, instruction, parameter, 0, 0, UInt8(data.count >> 8), UInt8(truncatingIfNeeded: data.count)] + data + [0, 0]
    return Self.split(await device.authenticator.respond(toAPDU: apdu[...]))
  }

  private static func split(_ reply: [UInt8]) -> (data: Bytes, status: UInt16) {
    (reply.dropLast(2), reply.suffix(2).reduce(0) { $0 << 8 | UInt16($1) })
  }

  private func register() async throws -> Registration {
    let (data, status) = await send(1, 0, Self.challenge + Self.application)
    #expect(status == 0x9000)
    return try Registration(data)
  }

  private func authenticate(_ control: UInt8, _ keyHandle: Bytes) async -> (data: Bytes, status: UInt16) {
    await send(2, control, Self.challenge + Self.application + [UInt8(keyHandle.count)] + keyHandle)
  }

  /// 0x05, the public key, the length-prefixed key handle, the certificate and the signature.
  struct Registration {
    let publicKey: COSEKey
    let point: Bytes
    let keyHandle: Bytes
    let certificate: X509Certificate
    let signature: Bytes

    init(_ data: Bytes) throws {
      var reader = ByteReader(data)
      #expect(try reader.readByte() == 5)
      point = try reader.read(65)
      publicKey = try COSEKey(
        algorithm: .es256, material: .ec2(curve: .p256, x: point.dropFirst().prefix(32), y: point.suffix(32)))
      keyHandle = try reader.read(Int(reader.readByte()))
      let header = [UInt8](reader.rest.prefix(4))
      let count = 4 + Int(header[2]) << 8 + Int(header[3])
      certificate = try X509Certificate(der: reader.read(count))
      signature = reader.readRest()
    }

    var attestationKey: COSEKey {
      get throws {
        try COSEKey(
          subjectPublicKeyInfo: certificate.subjectPublicKeyInfo.encoded, algorithm: .es256)
      }
    }
  }

  @Test func `a registration is signed with its certificate's key, and stored`() async throws {
    let made = try await register()
    #expect(made.keyHandle.count == 32)
    let message = [0] + Self.application + Self.challenge + made.keyHandle + made.point
    try made.attestationKey.verify(made.signature, over: message[...])
    let kept = try #require(try device.state.passkeys.first)
    #expect(kept.id.bytes[...] == made.keyHandle)
    #expect(kept.relyingPartyIDHash == Self.application)
    #expect(kept.relyingPartyID == nil)
    #expect(kept.user == nil)
    #expect(!kept.isDiscoverable)
    #expect(device.user.asked == [InteractionPurpose(.register)])
  }

  @Test func `an anchored device is anchored over U2F too`() async throws {
    let authority = try TestAttestationAuthority()
    let batch = try authority.batch(of: .passkeySoftware)
    await device.authenticator.adopt(.withoutSensor.withBatchAttestation(by: batch))
    let made = try await register()
    #expect(try made.attestationKey == batch.key.publicKey)
    let root = try X509Certificate(der: authority.certificate[...])
    let path = try TrustStore([root]).validate(made.certificate, at: UnixTime(secondsSince1970: 1_800_000_000))
    #expect(path.anchor == root)
  }

  @Test func `a signature covers user presence and the counter`() async throws {
    let made = try await register()
    let (data, status) = await authenticate(0x03, made.keyHandle)
    #expect(status == 0x9000)
    #expect(data.prefix(5) == [1, 0, 0, 0, 1])
    try made.publicKey.verify(data.dropFirst(5), over: Self.application + data.prefix(5) + Self.challenge)
    #expect(try device.state.passkeys.first?.signCount == 1)
  }

  @Test func `a signature without user presence does not ask, and says so`() async throws {
    let made = try await register()
    let asked = device.user.asked.count
    let (data, status) = await authenticate(0x08, made.keyHandle)
    #expect(status == 0x9000)
    #expect(data.first == 0)
    #expect(device.user.asked.count == asked)
    try made.publicKey.verify(data.dropFirst(5), over: Self.application + data.prefix(5) + Self.challenge)
  }

  @Test func `a check reports whether the key handle is known, and changes nothing`() async throws {
    let made = try await register()
    #expect(await authenticate(0x07, made.keyHandle).status == 0x6985)
    #expect(await authenticate(0x07, [1, 2, 3]).status == 0x6a80)
    #expect(await authenticate(0x07, []).status == 0x6a80)
    #expect(device.user.asked.count == 1)
    #expect(try device.state.passkeys.first?.signCount == 0)
  }

  @Test func `without a touch nothing is created or signed`() async throws {
    let made = try await register()
    device.user.willGive(presences: .refused, .timedOut, .cancelled)
    #expect(await send(1, 0, Self.challenge + Self.application).status == 0x6985)
    #expect(await authenticate(0x03, made.keyHandle).status == 0x6985)
    #expect(await authenticate(0x03, made.keyHandle).status == 0x6985)
    #expect(try device.state.passkeys.count == 1)
    #expect(try device.state.passkeys.first?.signCount == 0)
  }

  @Test func `a key handle of another application is unknown`() async throws {
    let made = try await register()
    let elsewhere = [UInt8](repeating: 1, count: 32)
    let data = Self.challenge + elsewhere + [UInt8(made.keyHandle.count)] + made.keyHandle
    #expect(await send(2, 0x03, data).status == 0x6a80)
  }

  @Test func `the version is returned with and without an explicit length`() async {
    for reply in [Self.split(await device.authenticator.respond(toAPDU: [0, 3, 0, 0])), await send(3, 0, [])] {
      #expect(reply.data == [UInt8]("U2F_V2".utf8)[...])
      #expect(reply.status == 0x9000)
    }
  }

  // CTAP 2.3 §10

  @Test func `CTAP2 and U2F sign with each other's credentials`() async throws {
    let platform = device.platform()
    let made = try await register()
    let reply = try await platform.get(.sample(made.keyHandle))
    try reply.verify(by: made.publicKey)
    #expect(reply.user == nil)
    let other = try await platform.make()
    let (data, status) = await authenticate(0x03, other.credentialID)
    #expect(status == 0x9000)
    try other.publicKey.verify(data.dropFirst(5), over: Self.application + data.prefix(5) + Self.challenge)
  }

  @Test func `credentials with credProtect 3 or other algorithms are hidden from U2F`() async throws {
    let platform = device.platform()
    let protected = try await platform.make(
      .sample().with { (request) in request.extensions.credentialProtection = 3 })
    #expect(await authenticate(0x07, protected.credentialID).status == 0x6a80)
    let other = try await platform.make(.sample([.eddsa]))
    #expect(await authenticate(0x07, other.credentialID).status == 0x6a80)
  }

  @Test func `with alwaysUv, U2F is disabled`() async throws {
    let made = try await register()
    try device.vault.update { (state) in state.settings.alwaysRequiresUserVerification = true }
    #expect(await send(1, 0, Self.challenge + Self.application).status == 0x6986)
    #expect(await authenticate(0x03, made.keyHandle).status == 0x6986)
    #expect(Self.split(await device.authenticator.respond(toAPDU: [0, 3, 0, 0])).status == 0x6986)
  }

  // Messages

  @Test(arguments: [
    ("00030000", 0x9000), ("0003000000", 0x9000), ("00030000000000", 0x9000), ("", 0x6700), ("000300", 0x6700),
    ("01030000", 0x6e00), ("00040000", 0x6d00), ("00030000000001ff", 0x6700), ("0003000001ff", 0x6700),
    ("0001000002ff", 0x6700), ("000100000000", 0x6700), ("00020000", 0x6a80), ("00020300", 0x6700),
    ("0003000000000000", 0x6700), ("000300000000000000", 0x9000), ("00030000000000000000", 0x6700),
  ])
  func `an invalid message is refused with its status`(message: String, expected: UInt16) async {
    #expect(Self.split(await device.authenticator.respond(toAPDU: hex(message)[...])).status == expected)
  }

  @Test func `short APDUs are read too`() async throws {
    let data = Self.challenge + Self.application
    for end: [UInt8] in [[], [0]] {
      let reply = Self.split(await device.authenticator.respond(toAPDU: ([0, 1, 0, 0, 64] + data + end)[...]))
      #expect(reply.status == 0x9000)
    }
    let tooLong = Self.split(await device.authenticator.respond(toAPDU: ([0, 1, 0, 0, 64] + data + [0, 0])[...]))
    #expect(tooLong.status == 0x6700)
  }

  @Test func `every message gets a status`() async throws {
    let made = try await register()
    let whole = [0, 2, 3, 0, 0, 0, 97] + Self.challenge + Self.application + [32] + made.keyHandle + [0, 0]
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let reply = await device.authenticator.respond(toAPDU: Mutation.mutated([UInt8](whole), using: &generator)[...])
      #expect(reply.count >= 2)
    }
  }
}
