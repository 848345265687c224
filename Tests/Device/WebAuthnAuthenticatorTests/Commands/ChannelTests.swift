// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// State that belongs to a single channel (CTAP 2.3 §6, stateful commands; §11.2.3).
struct ChannelTests {
  private let device: TestDevice
  private let platform: TestPlatform
  private let token: SecretBytes

  private static let own = DeviceChannel(number: 2)
  private static let other = DeviceChannel(number: 3)

  init() async throws {
    device = try TestDevice { (state) in
      state.passkeys = try ["ada", "bob", "eve"].enumerated().map { (number, user) in
        try .made(for: number == 0 ? "yapt.example" : "raxx.app", user: user, sequence: UInt64(number))
      }
      state.fingers = [EnrolledFinger(templateID: [9], finger: 9, name: nil)]
    }
    platform = device.platform()
    try await platform.setPIN("1234")
    token = try await platform.token("1234", [.credentialManagement, .largeBlobWrite, .bioEnrollment])
  }

  /// A stateful command sequence: the first command and the next one.
  private struct Sequence {
    let name: String
    let beginning: (CTAPCommand, [UInt8])
    let continuation: (CTAPCommand, [UInt8])
    let refusal: CTAPStatus
  }

  private var sequences: [Sequence] {
    let raxx = CBORTree.bytes(Digest.sha256([UInt8]("raxx.app".utf8)[...]))
    return [
      Sequence(
        // Without user presence, which would spend the token of the others.
        name: "assertions",
        beginning: (
          .getAssertion, GetAssertionRequest.sample().with { (request) in request.options.userPresence = false }.encoded
        ),
        continuation: (.getNextAssertion, []), refusal: .notAllowed),
      Sequence(
        name: "relying parties", beginning: (.credentialManagement, encoded(platform.managing(2, token))),
        continuation: (.credentialManagement, encoded(platform.managing(3))), refusal: .notAllowed),
      Sequence(
        name: "credentials", beginning: (.credentialManagement, encoded(platform.managing(4, token, [1: raxx]))),
        continuation: (.credentialManagement, encoded(platform.managing(5))), refusal: .notAllowed),
      Sequence(
        name: "large blobs", beginning: (.largeBlobs, encoded(platform.writing([1, 2, 3], at: 0, of: 40, token))),
        continuation: (.largeBlobs, encoded(platform.writing([4], at: 3, token))), refusal: .invalidSequence),
    ]
  }

  private func encoded(_ map: TestMap) -> [UInt8] { CBORWriter.bytes(of: .map(map)) }

  private func status(_ request: (CTAPCommand, [UInt8]), on channel: DeviceChannel) async -> CTAPStatus {
    do throws(CTAPError) {
      _ = try await device.authenticator.perform(request.0, request.1[...], on: channel)
      return .success
    } catch {
      return error.status
    }
  }

  @Test func `the channel that began a sequence continues it`() async {
    for sequence in sequences {
      #expect(await status(sequence.beginning, on: Self.own) == .success, "\(sequence.name)")
      #expect(await status(sequence.continuation, on: Self.own) == .success, "\(sequence.name)")
    }
  }

  @Test func `another channel cannot continue a sequence, and its attempt ends it`() async {
    for sequence in sequences {
      #expect(await status(sequence.beginning, on: Self.own) == .success, "\(sequence.name)")
      #expect(await status(sequence.continuation, on: Self.other) == sequence.refusal, "\(sequence.name)")
      #expect(await status(sequence.continuation, on: Self.own) == sequence.refusal, "\(sequence.name)")
    }
  }

  @Test func `any command of another channel ends a sequence`() async {
    for sequence in sequences {
      #expect(await status(sequence.beginning, on: Self.own) == .success, "\(sequence.name)")
      #expect(await status((.getInfo, []), on: Self.other) == .success)
      #expect(await status(sequence.continuation, on: Self.own) == sequence.refusal, "\(sequence.name)")
      #expect(await status(sequence.beginning, on: Self.own) == .success, "\(sequence.name)")
      _ = await device.authenticator.respond(toAPDU: [0, 3, 0, 0], on: Self.other)
      #expect(await status(sequence.continuation, on: Self.own) == sequence.refusal, "\(sequence.name)")
    }
  }

  @Test func `another channel cannot continue an enrollment`() async throws {
    let begun = try await device.authenticator.perform(
      .bioEnrollment, encoded(platform.enrolling(1, token))[...], on: Self.own)
    guard case .map(let map) = CBORTree(try CBORValue(parsing: begun, rules: .canonical)) else { return }
    let next = encoded(platform.enrolling(2, token, [1: try #require(map[4])]))
    #expect(await status((.bioEnrollment, next), on: Self.other) == .invalidOption)
    #expect(await status((.bioEnrollment, next), on: Self.own) == .invalidOption)
  }
}
