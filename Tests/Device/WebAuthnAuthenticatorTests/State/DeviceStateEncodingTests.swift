// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct DeviceStateEncodingTests {
  @Test func `a state survives a round trip`() throws {
    let bytes = try DeviceState.sample().encoded
    let read = try DeviceState(parsing: bytes[...])
    #expect(read.encoded == bytes)
    #expect(read.passkeys.count == 2)
    #expect(read.passkeys.first?.user?.name == "ada@raxx.app")
    #expect(read.passkeys.first?.extensionSecrets != nil)
    #expect(read.passkeys.last?.user == nil)
    #expect(read.pin?.remainingAttempts == 5)
    #expect(read.fingers.first?.name == "left thumb")
    #expect(read.settings.minimumPINLengthReaders == ["raxx.app"])
    #expect(read.settings.needsLongTouchForReset)
    #expect(read.persistentToken.count == 32)
    #expect(read.wrapping.key.count == 32)
    #expect(read.wrapping.signCount == 7)
  }

  @Test(arguments: [0, 1, 3] as [UInt8]) func `another version is refused`(version: UInt8) throws {
    var bytes = try DeviceState.sample().encoded
    bytes[0] = version
    #expect(throws: WireError(.bytesUnknownVersion, at: 0)) { try DeviceState(parsing: bytes[...]) }
  }

  @Test func `a truncated state is refused at every length`() throws {
    let bytes = try DeviceState.sample().encoded
    for count in 0..<bytes.count {
      #expect(throws: WireError.self) { try DeviceState(parsing: bytes.prefix(count)) }
    }
  }

  @Test func `an extra byte is refused`() throws {
    let bytes = try DeviceState.sample().encoded
    #expect(throws: WireError(.bytesTrailing, at: bytes.count)) { try DeviceState(parsing: (bytes + [0])[...]) }
  }

  @Test func `corrupt bytes are refused, or read and written unchanged`() throws {
    let bytes = try DeviceState.sample().encoded
    try PropertyRuns.check(default: 2_000) { (generator) in
      let corrupted = Mutation.mutated(bytes, using: &generator)
      guard let state = try? DeviceState(parsing: corrupted[...]) else { return }
      _ = state.encoded
    }
  }
}
