// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let devices: [Case] = [
    Case("a device is registered once and stays unchanged") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let draft = try Sample.draft(.deviceRegistered)
      let phone = try device(of: ada, "phone")
      #expect(try await storage.register(phone, maximumCount: 9, audit: [draft]) == .registered)
      let again = try device(of: ada, "phone", at: 50)
      #expect(try await storage.register(again, maximumCount: 9, audit: [draft]) == .known(phone))
      let elsewhere = try device(of: ada, "phone", .fcm)
      #expect(try await storage.register(elsewhere, maximumCount: 9, audit: [draft]) == .registered)
      #expect(try await storage.devices(of: ada.handle) == [phone, elsewhere])
      #expect(try await storage.recordCount == 2)
    },
    Case("a device that is registered again belongs to the new owner only") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let hers = try device(of: ada, "phone")
      let his = try device(of: ben, "phone")
      _ = try await storage.register(hers, maximumCount: 9, audit: [])
      #expect(try await storage.register(his, maximumCount: 9, audit: []) == .registered)
      #expect(try await storage.devices(of: ada.handle).isEmpty)
      #expect(try await storage.devices(of: ben.handle) == [his])
    },
    Case("the device limit holds for concurrent registrations") { store in
      let (ada, _) = try await store.storage.registerAccount()
      let outcomes = try await store.inParallel(20) { (storage, number) in
        try await storage.register(
          device(of: ada, "phone-\(number)"), maximumCount: 5, audit: [Sample.draft(.deviceRegistered)])
      }
      #expect(outcomes.filter { $0 == .registered }.count == 5)
      #expect(outcomes.filter { $0 == .tooMany }.count == 15)
      #expect(try await store.storage.devices(of: ada.handle).count == 5)
      #expect(try await store.storage.recordCount == 5)
    },
    Case("a device for an unknown account is refused") { store in
      let nobody = try Sample.account()
      #expect(
        try await store.storage.register(device(of: nobody, "phone"), maximumCount: 9, audit: [Sample.draft()])
          == .unknownAccount)
      #expect(try await store.storage.devices(of: nobody.handle).isEmpty)
    },
    Case("only its owner erases a device, by id or token") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let phone = try device(of: ada, "phone")
      let watch = try device(of: ada, "watch")
      for device in [phone, watch] { _ = try await storage.register(device, maximumCount: 9, audit: []) }
      let draft = try Sample.draft(.deviceErased)
      func erase(_ selection: DeviceSelection, _ user: UserHandle) async throws -> Bool {
        try await storage.eraseDevice(selection, of: user, audit: [draft])
      }
      #expect(try await !erase(.id(phone.id), ben.handle))
      #expect(try await !erase(.token(.fcm, "phone"), ada.handle))
      #expect(try await storage.recordCount == 0)
      #expect(try await erase(.id(phone.id), ada.handle))
      #expect(try await !erase(.id(phone.id), ada.handle))
      #expect(try await storage.devices(of: ada.handle) == [watch])
      #expect(try await erase(.token(.apns, "watch"), ada.handle))
      #expect(try await storage.devices(of: ada.handle).isEmpty)
      #expect(try await storage.recordCount == 2)
    },
  ]

  @Sendable private static func device(
    of account: Account, _ token: String, _ service: PushService = .apns, at time: Int = 0
  ) throws -> Device {
    Device(
      id: try Sample.identifier(), user: account.handle, service: service, token: token, created: Sample.time(time))
  }
}
