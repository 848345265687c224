// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing

@testable import PasskeyService

struct ProtectedActionTests {
  @Test func `an action is encoded as an array of its parts`() throws {
    let action = ProtectedAction(method: "POST", path: "/api/orders?dry=1", body: [1, 2, 3])
    let expected: CBORTree = [
      "passkey action 1", "POST", "/api/orders?dry=1", .bytes(Digest.sha256([1, 2, 3])),
    ]
    #expect(action.canonicalBytes == CBORWriter.bytes(of: expected))
    #expect(action.digest == Digest.sha256(action.canonicalBytes))
    #expect("\(action)" == "POST /api/orders?dry=1")
  }

  @Test func `different actions have different bytes`() {
    let acts = [
      ProtectedAction(method: "POST", path: "/a/b", body: []), ProtectedAction(method: "POST/a", path: "/b", body: []),
      ProtectedAction(method: "POST", path: "/a", body: [0x2f, 0x62]),
      ProtectedAction(method: "PUT", path: "/a/b", body: []), ProtectedAction(method: "post", path: "/a/b", body: []),
      ProtectedAction(method: "POST", path: "/a/b?", body: []),
      ProtectedAction(method: "POST", path: "/a/b", body: [0]),
      // Visually identical, but different bytes.
      ProtectedAction(method: "POST", path: "/caf\u{e9}", body: []),
      ProtectedAction(method: "POST", path: "/cafe\u{301}", body: []),
    ]
    #expect(Set(acts.map(\.canonicalBytes)).count == acts.count)
    #expect(Set(acts.map(\.digest)).count == acts.count)
    #expect(Set(acts).count == acts.count)
  }

  @Test func `a client that knows only the body's hash makes the same action`() throws {
    let body = [UInt8]("{}".utf8)[...]
    let named = try ProtectedAction(method: "POST", path: "/x", bodyDigest: Digest.sha256(body))
    #expect(named.digest == ProtectedAction(method: "POST", path: "/x", body: body).digest)
  }

  @Test(arguments: [
    ("POST", "/x", 31), ("POST", "/x", 33), ("", "/x", 32), ("POST", "x", 32), ("POST", "", 32),
    ("POST", "/" + String(repeating: "x", count: 4096), 32),
  ])
  func `an invalid action is refused`(method: String, path: String, count: Int) async {
    await expect(.stepUpActionInvalid) {
      _ = try ProtectedAction(method: method, path: path, bodyDigest: [UInt8](repeating: 0, count: count))
    }
  }
}
