// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

// Limits
//   4,096 bytes of a device's token [APNs' have 64 or so, FCM's some 200, and a web push address a few hundred]
//   32 bytes of a service's name [a name, and not a text]

extension AuthService {
  /// Registers a device of whoever is signed in for messages. One that is registered already stays as it is.
  @discardableResult
  public func registerDevice(
    _ service: PushService, token: String, by session: AuthenticatedSession, in context: RequestContext
  ) async throws(ServiceError) -> Device {
    guard Self.isPrintable(service.rawValue, upTo: 32), Self.isPrintable(token, upTo: 4096) else {
      throw ServiceError(.deviceInvalid, "a token of 1 to 4096 printable ASCII characters")
    }
    let handle = session.account.handle
    let device = Device(
      id: try random.draw(DeviceID.self), user: handle, service: service, token: token, created: context.time)
    let audit = [
      try draft(
        .deviceRegistered, by: handle, of: handle, subject: .device(device.id),
        details: ["service": service.rawValue], in: context)
    ]
    let limit = policy.maximumDeviceCount
    let outcome = try await ask { (storage) throws(StorageError) in
      try await storage.register(device, maximumCount: limit, audit: audit)
    }
    switch outcome {
    case .registered: return device
    case .known(let known): return known
    case .tooMany: throw ServiceError(.deviceTooMany)
    case .unknownAccount: throw ServiceError(.accountUnknown)
    }
  }

  /// The devices of whoever is signed in.
  public func devices(of session: AuthenticatedSession) async throws(ServiceError) -> [Device] {
    try await ask { (storage) throws(StorageError) in try await storage.devices(of: session.account.handle) }
  }

  /// Erases a device of whoever is signed in.
  public func eraseDevice(
    _ selection: DeviceSelection, by session: AuthenticatedSession, in context: RequestContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    // A token is not recorded, so that which device it was is looked up first.
    guard let device = try await devices(of: session).first(where: selection.matches) else {
      throw ServiceError(.deviceUnknown)
    }
    let audit = [try draft(.deviceErased, by: handle, of: handle, subject: .device(device.id), in: context)]
    let wasThere = try await ask { (storage) throws(StorageError) in
      try await storage.eraseDevice(.id(device.id), of: handle, audit: audit)
    }
    guard wasThere else { throw ServiceError(.deviceUnknown) }
  }

  private static func isPrintable(_ text: String, upTo count: Int) -> Bool {
    1...count ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
  }
}
