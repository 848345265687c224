// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
internal import WebAuthnTypes
public import WireFormats

/// A device behind a pipe or a socket that speaks frames: a length of four bytes, big-endian, then a type byte and what
/// belongs to it, as `passkey authenticator` does.
///
/// Releasing it pulls the device out: its side of the connection ends, and a process that was started for it then ends
/// too, or is made to.
public final class FrameAuthenticator: Authenticator {
  private let link: FrameLink

  /// The device that a program is, which speaks on its standard input and output. The program's first word is its name,
  /// looked for in `PATH`; its standard error is ours.
  public init(command: [String]) throws(ClientError) {
    let (connection, process) = try ChildProcess.start(command)
    link = try FrameLink(connection: connection, process: process)
  }

  /// The device that listens at a Unix socket.
  public init(unixSocket path: String) throws(ClientError) {
    link = try FrameLink(connection: try UnixConnection.open(path), process: nil)
  }

  deinit {
    link.close()
  }

  /// Carries out one command; a second one at the same time is told that the device is busy. A device that is gone
  /// answers `CTAP1_ERR_OTHER`, and the detail says how it went.
  public func perform(_ command: CTAPCommand, _ parameters: Bytes) async throws(CTAPError) -> Bytes {
    let answer = try await link.exchange(FrameBuffer.encode(FrameType.cbor, [command.rawValue] + parameters)).get()
    guard let status = answer.first else { throw CTAPError(.other, "the device gave an empty answer") }
    guard status == CTAPStatus.success.rawValue else { throw CTAPError(CTAPStatus(rawValue: status)) }
    return answer.dropFirst()
  }

  /// Gives up what is pending.
  public func cancel() async {
    link.cancel()
  }

  /// Pulls the device out, and waits until it is: a program that was started has ended.
  public func close() async {
    await link.closed()
  }
}
