// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

// Limits
//   4,096 bytes of a device token [APNs tokens have about 64, FCM tokens about 200, web push addresses a few hundred]
//   32 bytes of a service name [an identifier, not prose]

extension AuthService {
  /// Registers a device of the signed-in account for push messages. A device that is already registered stays
  /// unchanged. A token registered to another account moves to this one.
  ///
  /// - Parameters:
  ///   - service: The push service of the device.
  ///   - token: The device token of the push service: 1 to 4,096 printable ASCII characters.
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:in:)``.
  ///   - context: The time and origin of the request.
  /// - Returns: The registered device, or the one that had this token before.
  /// - Throws: `device.invalid`, or `device.too-many` beyond ``ServicePolicy/maximumDeviceCount``; `account.unknown` if
  ///   the account was erased meanwhile; or a storage code.
  @discardableResult
  public func registerDevice(
    _ service: PushService, token: String, by session: AuthenticatedSession, in context: RequestContext
  ) async throws(ServiceError) -> Device {
    guard Self.isPrintable(service.rawValue, upTo: 32), Self.isPrintable(token, upTo: 4096) else {
      throw ServiceError(.deviceInvalid, "a token has 1 to 4096 printable ASCII characters")
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
    let outcome = try await withStorage { (storage) throws(StorageError) in
      try await storage.register(device, maximumCount: limit, audit: audit)
    }
    switch outcome {
    case .registered: return device
    case .known(let known): return known
    case .tooMany: throw ServiceError(.deviceTooMany)
    case .unknownAccount: throw ServiceError(.accountUnknown)
    }
  }

  /// Lists the devices of the signed-in account, the earliest registered first.
  ///
  /// - Throws: A storage code.
  public func devices(of session: AuthenticatedSession) async throws(ServiceError) -> [Device] {
    try await withStorage { (storage) throws(StorageError) in try await storage.devices(of: session.account.handle) }
  }

  /// Deletes a device of the signed-in account.
  ///
  /// - Throws: `device.unknown`, or a storage code.
  public func eraseDevice(
    _ selection: DeviceSelection, by session: AuthenticatedSession, in context: RequestContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    // The audit record contains the device's ID and not its token, so look up the ID first.
    guard let device = try await devices(of: session).first(where: selection.matches) else {
      throw ServiceError(.deviceUnknown)
    }
    let audit = [try draft(.deviceErased, by: handle, of: handle, subject: .device(device.id), in: context)]
    let wasThere = try await withStorage { (storage) throws(StorageError) in
      try await storage.eraseDevice(.id(device.id), of: handle, audit: audit)
    }
    guard wasThere else { throw ServiceError(.deviceUnknown) }
  }

  private static func isPrintable(_ text: String, upTo count: Int) -> Bool {
    1...count ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
  }
}
