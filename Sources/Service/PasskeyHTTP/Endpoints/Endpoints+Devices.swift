// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService

extension Endpoints {
  static let devices = [
    Endpoint(
      name: .registerDevice, summary: "Register a device for push messages", answers: [.init()],
      failures: [.conflict, .unprocessableContent], access: .session { try await $0.registerDevice($1, $2) }),
    Endpoint(
      name: .eraseDevice, summary: "Erase a device", answers: [.init()], failures: [],
      access: .session { try await $0.eraseDevice($1, $2) }),
    Endpoint(
      name: .devices, summary: "List the account's devices, without their tokens", answers: [.init()], failures: [],
      access: .session { try await $0.listDevices($1, $2) }),
    Endpoint(
      name: .revokeDevice, summary: "Revoke a device of the account", answers: [.init()], failures: [.notFound],
      access: .session { try await $0.revokeDevice($1, $2) }),
  ]

  private func registerDevice(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let inputs = try call.inputs()
    let device = try await service.registerDevice(
      pushService(inputs), token: inputs.text(.deviceToken) ?? "", platform: inputs.text(.devicePlatform),
      timeZone: inputs.text(.deviceTimeZone), by: session, in: call.context)
    return Reply.values { $0 = Self.values(of: device) }
  }

  private static func values(of device: Device) -> ShapeValues {
    var values = ShapeValues()
    values.set(.deviceID, device.id.description)
    values.set(.deviceService, device.service.rawValue)
    values.set(.devicePlatform, device.platform)
    values.set(.deviceTimeZone, device.timeZone)
    values.set(.deviceCreated, device.created)
    return values
  }

  private func listDevices(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let devices = try await service.devices(of: session)
    return Reply.values { $0[.devices] = .list(devices.map(Self.values)) }
  }

  private func revokeDevice(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let id = try call.identifier { Device.ID($0) }
    do throws(ServiceError) {
      try await service.revokeDevice(.id(id), by: session, in: call.context)
    } catch {
      if error.code == .deviceUnknown { throw EndpointError(.notFound) }
      throw error
    }
    return Reply()
  }

  private func eraseDevice(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let inputs = try call.inputs()
    do {
      try await service.revokeDevice(try await selection(inputs, of: session), by: session, in: call.context)
    } catch let error as ServiceError where error.code == .deviceUnknown {
      // The device receives nothing, so a repeated request has succeeded.
    }
    return Reply()
  }

  /// Returns the device that a request names. Some clients name only the token, although they registered the device with
  /// its platform.
  private func selection(_ inputs: ShapeValues, of session: AuthenticatedSession) async throws -> DeviceSelection {
    let token = inputs.text(.deviceToken) ?? ""
    guard inputs.text(.deviceService) == nil, inputs.text(.devicePlatform) == nil else {
      return .token(pushService(inputs), token)
    }
    let device = try await service.devices(of: session).first { $0.token == token }
    return device.map { DeviceSelection.id($0.id) } ?? .token(pushService(inputs), token)
  }

  /// Returns the push service of a device: the named one, that of its platform, or APNs.
  private func pushService(_ inputs: ShapeValues) -> Device.PushService {
    if let name = inputs.text(.deviceService) { return Device.PushService(rawValue: name) }
    return inputs.text(.devicePlatform)?.lowercased() == "android" ? .fcm : .apns
  }
}
