// SPDX-License-Identifier: Apache-2.0

package import CTAPTypes
internal import PasskeyFormats
internal import PasskeySystem
package import WebAuthnBrowser
internal import WebAuthnTypes

/// A device behind a pipe or socket that exchanges frames, such as `passkey authenticator`. A frame is a four-byte
/// big-endian length, a type byte and a payload. Thread-safe.
///
/// Releasing it disconnects the device: its side of the connection closes. A process started for it exits or is
/// terminated.
package final class FrameAuthenticator: Authenticator {
  private let link: FrameLink

  /// Starts a program that acts as a device on its standard input and output. The first element is the program's name,
  /// which is searched in `PATH`. The program inherits standard error.
  ///
  /// - Throws: `client.authenticator-failed`.
  package init(command: [String]) throws(ClientError) {
    let (connection, process) = try DeviceProcess.start(command)
    link = try FrameLink(connection: connection, process: process)
  }

  /// Connects to a device that listens on a Unix socket.
  ///
  /// - Throws: `client.authenticator-failed`, also if the queue of the socket is full.
  package init(unixSocket path: String) throws(ClientError) {
    let connection = try mapError(UnixSocket.connect(to: path, isBlocking: false)) { (error: SystemError) in
      ClientError(.authenticatorFailed, "no device at \(path): \(error.message)")
    }
    link = try FrameLink(connection: connection, process: nil)
  }

  deinit {
    link.close()
  }

  /// Sends one command.
  ///
  /// - Throws: The status of the device; `CTAP1_ERR_CHANNEL_BUSY` if another command is pending; `CTAP1_ERR_OTHER` if
  ///   the device has disconnected or its response is empty, with the reason as detail.
  public func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    let frame = FrameBuffer.encode(FrameType.cbor, head: [command.rawValue], parameters)
    let answer = try await link.exchange(frame).get()
    guard let status = answer.first else { throw CTAPError(.other, "the device sent an empty response") }
    guard status == CTAPStatus.success.rawValue else { throw CTAPError(CTAPStatus(rawValue: status)) }
    return [UInt8](answer.dropFirst())
  }

  /// Cancels the pending command.
  public func cancel() async {
    link.cancel()
  }

  /// Disconnects the device and waits until it is closed and a process started for it has ended.
  package func close() async {
    await link.closed()
  }
}

/// A process started for a device.
struct DeviceProcess: Sendable {
  private let name: String
  private let process: ChildProcess

  /// Starts a program whose standard input and output are connected to a socket.
  static func start(_ command: [String]) throws(ClientError) -> (connection: FileDescriptor, process: DeviceProcess) {
    guard let name = command.first, !name.isEmpty else {
      throw ClientError(.authenticatorFailed, "the command names no program")
    }
    do throws(SystemError) {
      let (own, other) = try UnixSocket.pair()
      defer { other.close() }
      do throws(SystemError) {
        return (own, DeviceProcess(name: name, process: try ChildProcess(command, streams: [other, other])))
      } catch {
        own.close()
        throw error
      }
    } catch {
      throw ClientError(.authenticatorFailed, "\(name) cannot be started: \(error.message)")
    }
  }

  /// Waits for the process to end. Sends SIGTERM after `limit` and SIGKILL after `limit` again.
  ///
  /// - Returns: A description of how it ended.
  @discardableResult
  func end(within limit: Duration) -> String {
    switch process.end(within: limit) {
    case .exited(let code): "\(name) has ended with exit code \(code)"
    case .signaled(let signal): "\(name) was ended by signal \(signal)"
    case .unknown: "\(name) has ended"
    }
  }
}
