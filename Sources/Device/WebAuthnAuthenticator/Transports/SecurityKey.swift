// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import PasskeyFormats
internal import WebAuthnTypes

/// A device that also speaks U2F, whose messages are ISO 7816 APDUs, and that distinguishes its clients by channel.
///
/// Commands without a channel come from ``DeviceChannel/only``.
public protocol SecurityKey: Authenticator {
  /// Runs a CTAP2 command received on `channel`, like `perform(_:_:)` of `Authenticator`.
  func perform(
    _ command: CTAPCommand, _ parameters: Bytes, on channel: DeviceChannel
  ) async throws(CTAPError) -> Bytes

  /// Runs a command APDU received on `channel` and returns the response APDU, which ends with the status word.
  func respond(toAPDU command: Bytes, on channel: DeviceChannel) async -> Bytes
}

extension SecurityKey {
  /// Runs a command of the only client.
  ///
  /// - Throws: The device's status.
  public func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    try await perform(command, parameters, on: .only)
  }

  /// Runs a command APDU of the only client.
  public func respond(toAPDU command: Bytes) async -> Bytes {
    await respond(toAPDU: command, on: .only)
  }
}

/// One client's connection to a device, such as a CTAPHID channel (CTAP 2.3 §11.2.3).
public struct DeviceChannel: Hashable, Sendable {
  /// The channel's number; on CTAPHID its channel ID.
  public let number: UInt32

  /// Creates a channel with this number.
  public init(number: UInt32) {
    self.number = number
  }

  /// The channel of a transport that has only one. CTAPHID never allocates its number.
  public static let only = DeviceChannel(number: 0)
}
