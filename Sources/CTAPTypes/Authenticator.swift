// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A passkey device, wherever it is: in this process, behind a pipe or a socket, on a bus.
///
/// The one noun of this floor with a verb that waits, since a user has to be asked: it stands here because the wing that
/// makes devices and the wing that uses them share nothing else.
public protocol Authenticator: Sendable {
  /// Carries out one CTAP2 command. `parameters` is the CBOR behind the command byte, empty for a command without any.
  /// What is returned is the CBOR behind the status byte; a status other than success is thrown.
  func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes

  /// Gives up what is pending, which then fails with `CTAP2_ERR_KEEPALIVE_CANCEL`; does nothing where nothing is.
  func cancel() async
}
