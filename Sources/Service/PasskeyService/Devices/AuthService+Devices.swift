// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

// Limits
//   4,096 bytes of a device token [APNs tokens have about 64, FCM tokens about 200, web push addresses a few hundred]
//   32 bytes of a service name or a platform [an identifier, not prose]
//   64 bytes of a time zone [the longest name of the IANA database has 32]

extension AuthService {
  /// Registers a device of the signed-in account for push messages. If it is already registered, updates its platform
  /// and time zone. A revoked registration stays revoked beside the new one. A registration of the token by another
  /// account is revoked.
  ///
  /// - Parameters:
  ///   - service: The push service of the device.
  ///   - token: The device token of the push service: 1 to 4,096 printable ASCII characters.
  ///   - platform: The platform of the device, such as `ios`; nil if unknown.
  ///   - timeZone: The time zone of the device as a name of the IANA database; nil if unknown.
  ///   - session: The session of the signed-in account.
  ///   - context: The time and origin of the request.
  /// - Returns: The registered device, or the one that had this token before.
  /// - Throws: `device.invalid`, or `device.too-many` beyond ``ServicePolicy/maximumDeviceCount``; `account.unknown` if
  ///   the account was erased meanwhile; or a storage code.
  @discardableResult
  package func registerDevice(
    _ service: Device.PushService, token: String, platform: String? = nil, timeZone: String? = nil,
    by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> Device {
    guard Self.isPrintable(service.rawValue, upTo: 32), Self.isPrintable(token, upTo: 4096) else {
      throw ServiceError(.deviceInvalid, "a token has 1 to 4096 printable ASCII characters")
    }
    guard platform.map({ Self.isPrintable($0, upTo: 32) }) ?? true,
      timeZone.map({ Self.isPrintable($0, upTo: 64) }) ?? true
    else {
      throw ServiceError(.deviceInvalid, "a platform has at most 32 printable ASCII characters, a time zone 64")
    }
    let handle = session.account.handle
    let device = Device(
      id: try random.draw(Device.ID.self), user: handle, service: service, token: token, platform: platform,
      timeZone: timeZone, created: context.time)
    let audit = [
      try draft(
        .deviceRegistered, by: handle, of: handle, subject: .device(device.id),
        details: ["service": service.rawValue], in: context)
    ]
    let limit = policy.maximumDeviceCount
    return try await stored(async: await storage.register(device, maximumCount: limit, audit: audit)).get()
  }

  /// Lists the devices of the signed-in account that are not revoked, the earliest registered first.
  ///
  /// - Throws: A storage code.
  package func devices(of session: AuthenticatedSession) async throws(ServiceError) -> [Device] {
    try await stored(async: await storage.devices(of: session.account.handle))
      .filter { $0.revoked == nil }
  }

  /// Revokes a device of the signed-in account: it receives no more messages. Its registration is kept, marked as
  /// revoked, until the account is erased.
  ///
  /// - Throws: `device.unknown`, or a storage code.
  package func revokeDevice(
    _ selection: DeviceSelection, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    // The audit record contains the device's ID and not its token, so look up the ID first.
    guard let device = try await devices(of: session).first(where: selection.matches) else {
      throw ServiceError(.deviceUnknown)
    }
    guard try await revoke(device.id, of: handle, by: handle, details: [:], in: context) else {
      throw ServiceError(.deviceUnknown)
    }
  }

  /// Revokes a device whose push service reports that the application is no longer installed on it.
  ///
  /// - Returns: Whether the account had the device and it was not revoked.
  /// - Throws: A storage code.
  @discardableResult
  package func revokeUnreachableDevice(
    _ id: Device.ID, of handle: UserHandle, in context: CallContext
  ) async throws(ServiceError) -> Bool {
    try await revoke(id, of: handle, by: nil, details: ["by": "push-service"], in: context)
  }

  private func revoke(
    _ id: Device.ID, of handle: UserHandle, by actor: UserHandle?, details: [String: String],
    in context: CallContext
  ) async throws(ServiceError) -> Bool {
    let audit = [
      try draft(.deviceRevoked, by: actor, of: handle, subject: .device(id), details: details, in: context)
    ]
    return try await stored(async: await storage.revokeDevice(.id(id), of: handle, at: context.time, audit: audit))
  }

  private static func isPrintable(_ text: String, upTo count: Int) -> Bool {
    1...count ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
  }
}
