// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyDelivery

struct APNsKeyTests {
  private let start = UnixTime(secondsSince1970: 1_700_000_000)

  private func key(_ seed: UInt8 = 1) throws -> APNsKey {
    try APNsKey(keyID: "ABC1234567", teamID: "TEAM123456", pem: try PushKeys.pem(try PushKeys.es256(seed)))
  }

  @Test func `a provider token names key and team, and is used for fifty minutes`() throws {
    let key = try key()
    let first = try key.token(now: start)
    let (header, claims) = try PushKeys.open(first, by: try PushKeys.es256(1))
    #expect(try header.require("alg").string == "ES256" && header.require("kid").string == "ABC1234567")
    #expect(try claims.require("iss").string == "TEAM123456")
    #expect(try claims.require("iat").integer(Int64.self) == start.secondsSince1970)
    #expect(try key.token(now: start + .seconds(2_999)) == first)
    let second = try key.token(now: start + .seconds(3_000))
    #expect(second != first)
    // The clock was set back.
    #expect(try key.token(now: start) != second)
  }

  @Test func `a refused token is replaced, but not more often than Apple allows`() throws {
    let key = try key()
    let first = try key.token(now: start)
    key.drop(first, now: start + .seconds(1_199))
    #expect(try key.token(now: start + .seconds(1_199)) == first)
    key.drop("another", now: start + .seconds(1_200))
    #expect(try key.token(now: start + .seconds(1_200)) == first)
    key.drop(first, now: start + .seconds(1_200))
    #expect(try key.token(now: start + .seconds(1_200)) != first)
  }

  /// The thread sanitizer watches it for data races.
  @Test func `concurrent callers get a token of their time`() async throws {
    let (key, start) = (try key(), start)
    try await withThrowingTaskGroup { (group) in
      for _ in 0..<4 {
        group.addTask {
          try await waiting {
            for step in 0..<50 {
              let now = start + .seconds(3_000 * step)
              let (_, claims) = try PushKeys.open(try key.token(now: now), by: try PushKeys.es256(1))
              #expect(try claims.require("iat").integer(Int64.self) == now.secondsSince1970)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `another key signs from its reading on, and the same key changes nothing`() throws {
    let key = try key()
    let first = try key.token(now: start)
    try key.replace(pem: try PushKeys.pem(try PushKeys.es256(1)))
    #expect(try key.token(now: start) == first)
    try key.replace(pem: try PushKeys.pem(try PushKeys.es256(2)))
    _ = try PushKeys.open(try key.token(now: start), by: try PushKeys.es256(2))
    let error = #expect(throws: DeliveryError.self) { try key.replace(pem: SecretBytes(utf8: "damaged")) }
    #expect(error?.code == .keyInvalid)
    _ = try PushKeys.open(try key.token(now: start), by: try PushKeys.es256(2))
  }

  @Test func `malformed identifiers are refused`() throws {
    let pem = try PushKeys.pem(try PushKeys.es256(1))
    for (keyID, teamID) in [
      ("", "TEAM123456"), ("ABC123456", "TEAM123456"), ("ABC123456\n", "TEAM123456"), ("ABC1234567", "é"),
    ] {
      let error = #expect(throws: DeliveryError.self) { try APNsKey(keyID: keyID, teamID: teamID, pem: pem) }
      #expect(error?.code == .identifierInvalid)
    }
    for topic in ["", "app raxx", "app.raxx\r\nx: y"] {
      let error = #expect(throws: DeliveryError.self) {
        try APNsSender(key: try key(), topic: topic, environment: .sandbox, now: { [start] in start })
      }
      #expect(error?.code == .identifierInvalid)
    }
  }

  @Test func `the message to one device has one UUID in all attempts`() throws {
    let notice = Notice(
      id: NoticeID(unchecked: [UInt8](repeating: 1, count: 16)), event: NoticeEvent(rawValue: "session.opened"),
      account: nil,
      time: start, data: Array("{}".utf8))
    func device(_ byte: UInt8) throws -> Device {
      Device(
        id: Device.ID(unchecked: [UInt8](repeating: byte, count: 16)), user: try UserHandle([1]), service: .apns,
        token: "ab",
        created: start)
    }
    let first = APNsSender.identifier(of: notice, for: try device(1))
    #expect(try APNsSender.identifier(of: notice, for: device(1)) == first)
    #expect(try APNsSender.identifier(of: notice, for: device(2)) != first)
    #expect(first.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    #expect(Array(first)[14] == "8" && "89ab".contains(Array(first)[19]))
  }
}

struct FCMServiceAccountTests {
  @Test func `the assertion is for the token endpoint and lives an hour`() throws {
    let account = try PushKeys.serviceAccount()
    let now = UnixTime(secondsSince1970: 1_700_000_000)
    let (header, claims) = try PushKeys.open(
      try account.assertion(now: now), by: try .generate(.rs256, random: .seeded([9])))
    #expect(try header.require("alg").string == "RS256" && header.require("kid").string == "k1")
    #expect(try claims.require("iss").string == "push@raxx-1.iam.example")
    #expect(try claims.require("aud").string == "https://oauth2.example/token")
    #expect(try claims.require("scope").string == "https://www.googleapis.com/auth/firebase.messaging")
    #expect(try claims.require("iat").integer(Int64.self) == now.secondsSince1970)
    #expect(try claims.require("exp").integer(Int64.self) == now.secondsSince1970 + 3_600)
  }

  @Test func `an incomplete or malformed file is refused`() throws {
    for (name, value, code) in [
      ("type", "authorized_user", DeliveryError.Code.serviceAccountInvalid),
      ("project_id", nil, .serviceAccountInvalid),
      ("project_id", "a/b", .serviceAccountInvalid), ("private_key", "key", .keyInvalid),
      ("token_uri", "http://oauth2.example", .addressInvalid), ("client_email", nil, .serviceAccountInvalid),
    ] as [(String, String?, DeliveryError.Code)] {
      let error = #expect(throws: DeliveryError.self) { try PushKeys.serviceAccount { $0[name] = value } }
      #expect(error?.code == code, "\(name)")
    }
  }
}
