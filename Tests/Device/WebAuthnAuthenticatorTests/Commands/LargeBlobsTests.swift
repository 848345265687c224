// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct LargeBlobsTests {
  private static let limit = 7609 - 64

  /// Returns an array of `count` bytes including its checksum.
  private func array(_ count: Int) -> [UInt8] {
    let content = (0..<(count - 16)).map { (index) in UInt8(truncatingIfNeeded: index) }
    return content + Digest.sha256(content[...]).prefix(16)
  }

  private func read(_ platform: TestPlatform) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let part = try await platform.send(
        .largeBlobs, [1: .unsigned(UInt64(Self.limit)), 3: .unsigned(UInt64(bytes.count))]
      ).bytes(1)
      bytes += part
      if part.count < Self.limit { return bytes }
    }
  }

  private func write(_ bytes: [UInt8], _ platform: TestPlatform, _ token: SecretBytes? = nil) async throws {
    var offset = 0
    while offset < bytes.count {
      let part = [UInt8](bytes[offset...].prefix(Self.limit))
      try await platform.send(
        .largeBlobs,
        platform.writing(part, at: UInt32(offset), of: offset == 0 ? UInt64(bytes.count) : nil, token))
      offset += part.count
    }
  }

  // MARK: Reading

  @Test func `the initial array is the empty one of the standard`() async throws {
    #expect(try await read(TestDevice().platform()) == hex("80 76be8b528d0075f7aae98d6fa57a6d3c"))
  }

  @Test func `a part is read from its offset up to the end`() async throws {
    let platform = try TestDevice().platform()
    let whole = try await read(platform)
    #expect(try await platform.send(.largeBlobs, [1: 4, 3: 1]) == [1: .bytes([UInt8](whole[1..<5]))])
    #expect(try await platform.send(.largeBlobs, [1: 100, 3: 15]) == [1: .bytes([UInt8](whole[15...]))])
    #expect(try await platform.send(.largeBlobs, [1: 0, 3: 0]) == [1: .bytes([])])
    #expect(try await platform.send(.largeBlobs, [1: 1, 3: 17]) == [1: .bytes([])])
    #expect(await platform.status(.largeBlobs, [1: 1, 3: 18]) == .invalidParameter)
    #expect(await platform.status(.largeBlobs, [1: 1, 3: .unsigned(.max)]) == .invalidParameter)
  }

  @Test func `a read is limited by the message size`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.largeBlobs, [1: 7545, 3: 0]) == .success)
    #expect(await platform.status(.largeBlobs, [1: 7546, 3: 0]) == .invalidLength)
    #expect(await platform.status(.largeBlobs, [1: .unsigned(.max), 3: 0]) == .invalidLength)
  }

  @Test func `the offset and exactly one of get and set are required`() async throws {
    let platform = try TestDevice().platform()
    let requests: [TestMap] = [
      [:], [1: 1], [3: 0], [1: 1, 2: .bytes([1]), 3: 0], [1: 1, 3: 0, 4: 17], [1: 1, 3: 0, 5: .bytes([1])],
      [1: 1, 3: 0, 6: 2],
    ]
    for request in requests {
      #expect(await platform.status(.largeBlobs, request) == .invalidParameter, "\(request)")
    }
    #expect(await platform.status(.largeBlobs, [1: "all", 3: 0]) == .cborUnexpectedType)
  }

  // MARK: Writing

  @Test(arguments: [17, 18, 1024, 7545, 7546, 16_384])
  func `an array of any length survives a round trip`(count: Int) async throws {
    let device = try TestDevice()
    let bytes = array(count)
    try await write(bytes, device.platform())
    #expect(try await read(device.platform()) == bytes)
    #expect(try device.state.largeBlobArray == bytes)
  }

  @Test(arguments: TestPINProtocol.allCases)
  func `with a PIN, each write requires a token`(version: TestPINProtocol) async throws {
    let device = try TestDevice()
    let platform = device.platform(version)
    try await platform.setPIN("1234")
    let bytes = array(10_000)
    #expect(await platform.status { try await write(bytes, platform) } == .pinUVAuthTokenRequired)
    let token = try await platform.token("1234", .largeBlobWrite)
    try await write(bytes, platform, token)
    #expect(try await read(platform) == bytes)

    try await platform.send(
      .largeBlobs, platform.writing([UInt8](bytes.prefix(100)), at: 0, of: 10_000, token))
    #expect(
      await platform.status(.largeBlobs, platform.writing([UInt8](bytes[100..<200]), at: 100))
        == .pinUVAuthTokenRequired)
  }

  @Test func `with a fingerprint or alwaysUv, each write requires a token`() async throws {
    let enrolled = try TestDevice { (state) in
      state.fingers = [EnrolledFinger(templateID: [1], finger: 0, name: nil)]
    }
    let strict = try TestDevice { (state) in state.settings.alwaysRequiresUserVerification = true }
    for device in [enrolled, strict] {
      #expect(
        await device.platform().status { try await write(array(17), device.platform()) } == .pinUVAuthTokenRequired)
    }
  }

  @Test func `a token with another permission, protocol or value is refused`() async throws {
    let platform = try TestDevice().platform()
    try await platform.setPIN("1234")
    let wrong = try await platform.token("1234", .credentialManagement)
    #expect(await platform.status { try await write(array(17), platform, wrong) } == .pinAuthInvalid)
    let token = try await platform.token("1234", .largeBlobWrite)
    var request = platform.writing(array(17), at: 0, of: 17, token)
    request[6] = nil
    #expect(await platform.status(.largeBlobs, request) == .missingParameter)
    request[6] = 3
    #expect(await platform.status(.largeBlobs, request) == .invalidParameter)
    request[6] = 1
    #expect(await platform.status(.largeBlobs, request) == .pinAuthInvalid)
  }

  @Test func `a wrong checksum leaves the old array`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await write(array(100), platform)
    var bytes = array(200)
    bytes[199] ^= 1
    #expect(await platform.status { try await write(bytes, platform) } == .integrityFailure)
    #expect(try await read(platform) == array(100))
    #expect(
      await platform.status(.largeBlobs, platform.writing([1], at: 200)) == .invalidSequence)
  }

  @Test func `arrays that are too long or too short are refused`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.largeBlobs, platform.writing([1], at: 0, of: 16_385)) == .largeBlobStorageFull)
    #expect(await platform.status(.largeBlobs, platform.writing([1], at: 0, of: .max)) == .largeBlobStorageFull)
    #expect(await platform.status(.largeBlobs, platform.writing([1], at: 0, of: 16)) == .invalidParameter)
    #expect(await platform.status(.largeBlobs, platform.writing([1], at: 0)) == .invalidParameter)
  }

  @Test func `a part that exceeds the message or the announced length is refused`() async throws {
    let platform = try TestDevice().platform()
    let tooLong = [UInt8](repeating: 0, count: 7546)
    #expect(await platform.status(.largeBlobs, platform.writing(tooLong, at: 0, of: 10_000)) == .invalidLength)
    #expect(
      await platform.status(.largeBlobs, platform.writing([UInt8](repeating: 0, count: 18), at: 0, of: 17))
        == .invalidParameter)
    try await platform.send(.largeBlobs, platform.writing([1, 2, 3], at: 0, of: 17))
    #expect(
      await platform.status(.largeBlobs, platform.writing([UInt8](repeating: 0, count: 15), at: 3))
        == .invalidParameter)
  }

  @Test func `each part continues where the last one ended`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.largeBlobs, platform.writing([1], at: 1)) == .invalidSequence)
    for wrong: UInt32 in [1, 2, 4, .max] {
      try await platform.send(.largeBlobs, platform.writing([1, 2, 3], at: 0, of: 40))
      #expect(await platform.status(.largeBlobs, platform.writing([1], at: wrong)) == .invalidSequence)
    }
    try await platform.send(.largeBlobs, platform.writing([1, 2, 3], at: 0, of: 40))
    #expect(await platform.status(.largeBlobs, platform.writing([1], at: 3, of: 40)) == .invalidParameter)
  }

  @Test func `other commands on the same channel leave an unfinished array`() async throws {
    let platform = try TestDevice().platform()
    for (command, parameters): (CTAPCommand, TestMap?) in [
      (.getInfo, nil), (.largeBlobs, [1: 1, 3: 0]), (.clientPIN, [2: 7]),
    ] {
      try await platform.send(.largeBlobs, platform.writing([1, 2, 3], at: 0, of: 40))
      try await platform.send(command, parameters)
      #expect(await platform.status(.largeBlobs, platform.writing([4], at: 3)) == .success)
    }
  }

  @Test func `a refused fragment ends an unfinished array`() async throws {
    let platform = try TestDevice().platform()
    try await platform.send(.largeBlobs, platform.writing([1, 2, 3], at: 0, of: 40))
    #expect(await platform.status(.largeBlobs, platform.writing([4], at: 4)) == .invalidSequence)
    #expect(await platform.status(.largeBlobs, platform.writing([4], at: 3)) == .invalidSequence)
  }

  @Test func `an unfinished array ends with its token`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .largeBlobWrite)
    try await platform.send(.largeBlobs, platform.writing([1, 2, 3], at: 0, of: 40, token))
    device.clock.advance(by: .seconds(600))
    #expect(await platform.status(.largeBlobs, platform.writing([4], at: 3, token)) == .invalidSequence)
  }

  @Test func `any parameters get a status`() async throws {
    let device = try TestDevice()
    let platform = device.platform()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .largeBlobWrite)
    try await checkAnyParameters(
      device, .largeBlobs,
      [
        [1: 17, 3: 0], platform.writing(array(17), at: 0, of: 17, token),
        platform.writing([UInt8](array(40).prefix(20)), at: 0, of: 40, token),
        platform.writing([UInt8](array(40).suffix(20)), at: 20, token),
      ])
  }
}
