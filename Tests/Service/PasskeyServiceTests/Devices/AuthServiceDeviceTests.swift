// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing

@testable import PasskeyService

struct AuthServiceDeviceTests {
  @Test func `a device is registered once, listed, and revoked by id or token`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    let phone = try await world.service.registerDevice(.apns, token: "00ff", by: ada, in: world.at())
    let again = try await world.service.registerDevice(.apns, token: "00ff", by: ada, in: world.at(5))
    #expect(again == phone)
    let watch = try await world.service.registerDevice(.fcm, token: "a:b-c_d", by: ada, in: world.at())
    #expect(try await world.service.devices(of: ada) == [phone, watch])
    try await world.service.revokeDevice(.token(.apns, "00ff"), by: ada, in: world.at())
    try await world.service.revokeDevice(.id(watch.id), by: ada, in: world.at())
    #expect(try await world.service.devices(of: ada).isEmpty)
    await expect(.deviceUnknown) { try await world.service.revokeDevice(.id(watch.id), by: ada, in: world.at()) }
    await expect(.deviceUnknown) {
      try await world.service.revokeDevice(.token(.apns, "00ff"), by: ada, in: world.at())
    }
    let subjects = try await world.service.auditEntries(of: ada.account.handle, limit: 99).map(\.record.subject)
    #expect(subjects.suffix(4) == [phone, watch, phone, watch].map { "device:\($0.id)" })
    #expect(
      try await world.trail.suffix(4) == [
        "device.registered", "device.registered", "device.revoked", "device.revoked",
      ])
  }

  @Test func `another user's device looks unknown, and registering it moves it`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    let ben = try await world.openSession("ben@raxx.app", Person())
    let phone = try await world.service.registerDevice(.apns, token: "00ff", by: ada, in: world.at())
    await expect(.deviceUnknown) { try await world.service.revokeDevice(.id(phone.id), by: ben, in: world.at()) }
    let his = try await world.service.registerDevice(.apns, token: "00ff", by: ben, in: world.at())
    #expect(his.id != phone.id)
    #expect(try await world.service.devices(of: ada).isEmpty)
    #expect(try await world.service.devices(of: ben) == [his])
  }

  @Test func `the number of devices per account is limited`() async throws {
    let world = try ServiceWorld({ $0.maximumDeviceCount = 2 })
    let ada = try await world.openSession("ada@raxx.app", Person())
    for token in ["1", "2"] {
      try await world.service.registerDevice(.apns, token: token, by: ada, in: world.at())
    }
    await expect(.deviceTooMany) {
      try await world.service.registerDevice(.apns, token: "3", by: ada, in: world.at())
    }
  }

  @Test(arguments: [
    ("", "t"), ("apns", ""), ("apns", "a b"), ("apns", "a\u{0}"), ("apns", "é"), ("ap ns", "t"),
    (String(repeating: "s", count: 33), "t"), ("apns", String(repeating: "t", count: 4097)),
  ])
  func `an invalid token is refused`(service: String, token: String) async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    await expect(.deviceInvalid) {
      try await world.service.registerDevice(
        Device.PushService(rawValue: service), token: token, by: ada, in: world.at())
    }
  }

  @Test func `an account erased meanwhile registers no device`() async throws {
    let world = try ServiceWorld()
    let ada = try await world.openSession("ada@raxx.app", Person())
    _ = try await world.memory.erase(ada.account.handle, spending: nil, audit: [])
    await expect(.accountUnknown) {
      try await world.service.registerDevice(.apns, token: "1", by: ada, in: world.at())
    }
  }
}
