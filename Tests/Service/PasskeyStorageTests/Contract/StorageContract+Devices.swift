// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let devices: [Case] = [
    Case("a device is registered once, and its platform and time zone are updated") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let draft = try Sample.draft(.deviceRegistered)
      let phone = try device(of: ada, "phone")
      #expect(try await storage.register(phone, maximumCount: 9, audit: [draft]).value == phone)
      var again = try device(of: ada, "phone", at: 50)
      #expect(try await storage.register(again, maximumCount: 9, audit: [draft]).value == phone)
      var changed = phone
      (again.platform, changed.platform) = ("ios", "ios")
      #expect(try await storage.register(again, maximumCount: 9, audit: [draft]).value == changed)
      (again.platform, again.timeZone, changed.timeZone) = (nil, "America/Chicago", "America/Chicago")
      #expect(try await storage.register(again, maximumCount: 9, audit: [draft]).value == changed)
      let elsewhere = try device(of: ada, "phone", .fcm)
      #expect(try await storage.register(elsewhere, maximumCount: 9, audit: [draft]).value == elsewhere)
      #expect(try await storage.devices(of: ada.handle) == [changed, elsewhere])
      #expect(try await storage.recordCount == 2)
    },
    Case("a token that another account registers is revoked for the first one") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let hers = try device(of: ada, "phone")
      let his = try device(of: ben, "phone", at: 70)
      _ = try await storage.register(hers, maximumCount: 9, audit: [])
      #expect(try await storage.register(his, maximumCount: 9, audit: []).value == his)
      #expect(try await storage.devices(of: ada.handle) == [hers.revoked(at: 70)])
      #expect(try await storage.devices(of: ben.handle) == [his])
      // The first owner can register the device again, which leaves both revoked registrations.
      let back = try device(of: ada, "phone", at: 90)
      #expect(try await storage.register(back, maximumCount: 1, audit: []).value == back)
      #expect(try await storage.devices(of: ada.handle) == [hers.revoked(at: 70), back])
      #expect(try await storage.devices(of: ben.handle) == [his.revoked(at: 90)])
    },
    Case("an account keeps its newest revoked devices until it is erased") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      for number in 0...Device.keptRevokedCount + 1 {
        let phone = try device(of: ada, "phone-\(number)")
        #expect(try await storage.register(phone, maximumCount: 1, audit: []).value == phone)
        #expect(try await storage.revokeDevice(.id(phone.id), of: ada.handle, at: Sample.time(number), audit: []))
      }
      // The last registration was revoked after it removed the oldest.
      let kept = try await storage.devices(of: ada.handle)
      #expect(kept.first?.token == "phone-1" && kept.count == Device.keptRevokedCount + 1)
      #expect(kept.allSatisfy { $0.revoked != nil })
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      #expect(try await storage.devices(of: ada.handle).isEmpty)
    },
    Case("the device limit holds for concurrent registrations") { store in
      let (ada, _) = try await store.storage.registerAccount()
      let outcomes = try await store.inParallel(20) { (storage, number) in
        try await storage.register(
          device(of: ada, "phone-\(number)"), maximumCount: 5, audit: [Sample.draft(.deviceRegistered)])
      }
      #expect(outcomes.filter { $0.refusal == nil }.count == 5)
      #expect(outcomes.filter { $0.refusal == .deviceTooMany }.count == 15)
      #expect(try await store.storage.devices(of: ada.handle).count == 5)
      #expect(try await store.storage.recordCount == 5)
    },
    Case("a device for an unknown account is refused") { store in
      let nobody = try Sample.account()
      #expect(
        try await store.storage.register(device(of: nobody, "phone"), maximumCount: 9, audit: [Sample.draft()])
          .refusal == .accountUnknown)
      #expect(try await store.storage.devices(of: nobody.handle).isEmpty)
    },
    Case("only its owner revokes a device, by id or token") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let phone = try device(of: ada, "phone")
      let watch = try device(of: ada, "watch")
      for device in [phone, watch] { _ = try await storage.register(device, maximumCount: 9, audit: []) }
      let draft = try Sample.draft(.deviceRevoked)
      func revoke(_ selection: DeviceSelection, _ user: UserHandle) async throws -> Bool {
        try await storage.revokeDevice(selection, of: user, at: Sample.time(5), audit: [draft])
      }
      #expect(try await !revoke(.id(phone.id), ben.handle))
      #expect(try await !revoke(.token(.fcm, "phone"), ada.handle))
      #expect(try await storage.recordCount == 0)
      #expect(try await revoke(.id(phone.id), ada.handle))
      #expect(try await !revoke(.id(phone.id), ada.handle))
      #expect(try await storage.devices(of: ada.handle) == [phone.revoked(at: 5), watch])
      #expect(try await revoke(.token(.apns, "watch"), ada.handle))
      #expect(try await storage.devices(of: ada.handle).allSatisfy { $0.revoked != nil })
      #expect(try await storage.recordCount == 2)
    },
  ]

  @Sendable private static func device(
    of account: Account, _ token: String, _ service: Device.PushService = .apns, at time: Int = 0
  ) throws -> Device {
    Device(
      id: try Sample.identifier(), user: account.handle, service: service, token: token, created: Sample.time(time))
  }
}

extension Device {
  /// The device as it is after a revocation.
  fileprivate func revoked(at seconds: Int) -> Device {
    var device = self
    device.revoked = Sample.time(seconds)
    return device
  }
}
