// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
internal import WebAuthnTypes
public import WireFormats

/// A device that also speaks the older protocol, U2F, whose messages are ISO 7816 APDUs, and that tells its clients apart
/// by their channels.
///
/// Commands without a channel come from ``DeviceChannel/only``.
public protocol SecurityKey: Authenticator {
  /// Carries out one CTAP2 command that arrived on `channel`, like `perform(_:_:)` of `Authenticator`.
  func perform(
    _ command: CTAPCommand, _ parameters: Bytes, on channel: DeviceChannel
  ) async throws(CTAPError) -> Bytes

  /// Answers one command APDU that arrived on `channel` with a response APDU, status word at the end.
  func respond(toAPDU command: Bytes, on channel: DeviceChannel) async -> Bytes
}

extension SecurityKey {
  /// Carries out one command of a client that has the device to itself.
  public func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    try await perform(command, parameters, on: .only)
  }

  /// Answers one command APDU of a client that has the device to itself.
  public func respond(toAPDU command: Bytes) async -> Bytes {
    await respond(toAPDU: command, on: .only)
  }
}

/// One client's connection to a device, such as a CTAPHID channel (CTAP 2.3 §11.2.3).
public struct DeviceChannel: Hashable, Sendable {
  /// The channel's number; on CTAPHID its CID.
  public let number: UInt32

  /// The channel with this number.
  public init(number: UInt32) {
    self.number = number
  }

  /// The channel of a transport that has just one. No CTAPHID channel has its number.
  public static let only = DeviceChannel(number: 0)
}
