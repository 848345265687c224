// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
package import PasskeyFormats
internal import WebAuthnTypes

/// A device that also speaks U2F, whose messages are ISO 7816 APDUs, and that distinguishes its clients by channel.
///
/// Commands without a channel come from ``DeviceChannel/only``.
package protocol SecurityKey: Authenticator {
  /// Runs a CTAP2 command received on `channel`, like `perform(_:_:)` of `Authenticator`.
  func perform(
    _ command: CTAPCommand, _ parameters: Bytes, on channel: DeviceChannel
  ) async throws(CTAPError) -> [UInt8]

  /// Runs a command APDU received on `channel` and returns the response APDU, which ends with the status word.
  func respond(toAPDU command: Bytes, on channel: DeviceChannel) async -> [UInt8]
}

extension SecurityKey {
  /// Runs a command APDU of the only client.
  package func respond(toAPDU command: Bytes) async -> [UInt8] {
    await respond(toAPDU: command, on: .only)
  }
}

/// One client's connection to a device, such as a CTAPHID channel (CTAP 2.3 §11.2.3).
package struct DeviceChannel: Hashable, Sendable {
  /// The channel's number; on CTAPHID its channel ID.
  package let number: UInt32

  /// Creates a channel with this number.
  package init(number: UInt32) {
    self.number = number
  }

  /// The channel of a transport that has only one. CTAPHID never allocates its number.
  package static let only = DeviceChannel(number: 0)
}
