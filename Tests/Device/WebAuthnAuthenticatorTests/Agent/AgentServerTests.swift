// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import Testing

@testable import WebAuthnAuthenticator

/// The agent's messages, keys and clients. `AgentTests` in `passkeyTests` runs it as a process.
@Suite struct AgentServerTests {
  @Test func `only processes of the agent's user are answered`() {
    #expect(AgentServer.answers(userID: 1000, as: 1000))
    #expect(AgentServer.answers(userID: geteuid()))
    for other: UInt32? in [0, 1001, nil] { #expect(!AgentServer.answers(userID: other, as: 1000)) }
  }

  @Test func `a request survives its frame`() throws {
    let secret = SecretBytes([4, 5, 6])
    guard case .add("/tmp/päth", secret)? = AgentRequest(AgentRequest.add(path: "/tmp/päth", secret: secret).frame[...])
    else {
      Issue.record("another request")
      return
    }
    guard case .key([7, 8])? = AgentRequest(AgentRequest.key(salt: [7, 8]).frame[...]) else {
      Issue.record("another request")
      return
    }
  }

  @Test(arguments: [[], [0], [6], [2], [2, 0, 9, 65]] as [Bytes])
  func `a malformed frame is not a request`(frame: Bytes) {
    #expect(AgentRequest(frame) == nil)
  }

  @Test func `an unused key expires, and use extends its life`() {
    var ring = KeyRing(lockAfter: .seconds(10))
    let start = ContinuousClock.now
    let areAdded = [
      ring.add(SecretBytes([1]), of: "/a", salt: [1], now: start),
      ring.add(SecretBytes([2]), of: "/b", salt: [2], now: start),
    ]
    #expect(areAdded == [true, true])
    let used = ring.secret(salt: [1], now: start + .seconds(9))
    #expect(used == SecretBytes([1]))
    let next = ring.forgetUnused(now: start + .seconds(10))
    #expect(next == .seconds(9))
    #expect(ring.paths == ["/a"])
    let expired = ring.secret(salt: [1], now: start + .seconds(19))
    #expect(expired == nil)
  }

  @Test func `a vault with a new salt replaces its former key`() {
    var ring = KeyRing(lockAfter: nil)
    _ = ring.add(SecretBytes([1]), of: "/a", salt: [1], now: .now)
    _ = ring.add(SecretBytes([2]), of: "/a", salt: [2], now: .now)
    let secrets = [ring.secret(salt: [1], now: .now), ring.secret(salt: [2], now: .now)]
    #expect(secrets == [nil, SecretBytes([2])])
  }

  @Test func `a removed key leaves room for another, which does not change the rest`() {
    var ring = KeyRing(lockAfter: nil)
    for number in UInt8(0)..<64 { _ = ring.add(SecretBytes([number]), of: "/\(number)", salt: [number], now: .now) }
    let isReplaced = ring.add(SecretBytes([7, 7]), of: "/9", salt: [200], now: .now)
    let secrets = [[8], [200], [10], [9]].map { (salt) in ring.secret(salt: salt, now: .now) }
    #expect(isReplaced)
    #expect(secrets == [SecretBytes([8]), SecretBytes([7, 7]), SecretBytes([10]), nil])
  }

  @Test func `a secret that is too long for a key is refused`() {
    var ring = KeyRing(lockAfter: nil)
    let areAdded = [256, 257].map { (count) in
      ring.add(SecretBytes([UInt8](repeating: 1, count: count)), of: "/\(count)", salt: [UInt8(count % 251)], now: .now)
    }
    #expect(areAdded == [true, false])
  }

  @Test func `a full key ring takes no further key`() {
    var ring = KeyRing(lockAfter: nil)
    let areAdded = (UInt8(0)...64).map { (number) in
      ring.add(SecretBytes([number]), of: "/\(number)", salt: [number], now: .now)
    }
    #expect(areAdded == [Bool](repeating: true, count: 64) + [false])
    #expect(ring.paths.count == 64)
  }
}
