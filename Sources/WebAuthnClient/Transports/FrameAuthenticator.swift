// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
internal import WebAuthnTypes
public import WireFormats

/// A device behind a pipe or socket that exchanges frames, such as `passkey authenticator`. A frame is a four-byte
/// big-endian length, a type byte and a payload.
///
/// Releasing it disconnects the device: its side of the connection closes. A process started for it exits or is
/// terminated.
public final class FrameAuthenticator: Authenticator {
  private let link: FrameLink

  /// Starts a program that acts as a device on its standard input and output. The first element is the program's name,
  /// which is searched in `PATH`. The program inherits standard error.
  public init(command: [String]) throws(ClientError) {
    let (connection, process) = try ChildProcess.start(command)
    link = try FrameLink(connection: connection, process: process)
  }

  /// Connects to a device that listens on a Unix socket.
  public init(unixSocket path: String) throws(ClientError) {
    link = try FrameLink(connection: try UnixConnection.open(path), process: nil)
  }

  deinit {
    link.close()
  }

  /// Sends one command. A second command at the same time fails with `CTAP1_ERR_CHANNEL_BUSY`. After the device has
  /// disconnected, commands fail with `CTAP1_ERR_OTHER`, and the detail says why.
  public func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    let answer = try await link.exchange(FrameBuffer.encode(FrameType.cbor, [command.rawValue] + parameters)).get()
    guard let status = answer.first else { throw CTAPError(.other, "the device gave an empty answer") }
    guard status == CTAPStatus.success.rawValue else { throw CTAPError(CTAPStatus(rawValue: status)) }
    return answer.dropFirst()
  }

  /// Cancels the pending command.
  public func cancel() async {
    link.cancel()
  }

  /// Disconnects the device and waits until it is closed and a process started for it has ended.
  public func close() async {
    await link.closed()
  }
}
