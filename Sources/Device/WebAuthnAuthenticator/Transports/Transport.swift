// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
public import PasskeyFormats
package import PasskeySystem

/// A connection to a device, as a stream of frames. ``FrameServer`` and ``HIDServer`` interpret the frames.
package protocol Transport: Sendable {
  /// Waits for the next frame, at most `limit`, or without a limit if it is nil.
  ///
  /// - Throws: `transport.broken-frame`, `transport.frame-too-long` or `transport.read-failed`.
  func receive(waitingAtMost limit: Duration?) throws(TransportError) -> Received

  /// Sends a frame: `head`, then `payload`. Concurrent frames are not interleaved.
  ///
  /// A frame has two parts so that a caller can put a type and a status in front of a payload without copying it.
  ///
  /// - Throws: `transport.write-failed`.
  func send(_ head: [UInt8], _ payload: some ByteSource) throws(TransportError)
}

extension Transport {
  /// Sends a frame.
  ///
  /// - Throws: `transport.write-failed`.
  package func send(_ frame: some ByteSource) throws(TransportError) {
    try send([], frame)
  }
}

/// The result of waiting for a frame.
package enum Received: Hashable, Sendable {
  /// A frame.
  case frame(Bytes)
  /// The time-out expired.
  case nothing
  /// The peer disconnected, between two frames.
  case end
}

/// A fatal error of a transport.
public struct TransportError: CodedError {
  /// The error code.
  public let code: Code

  /// The system's error message.
  public let detail: String?

  /// The system's error, if there is one. Errors are equal whatever caused them.
  @Uncompared package private(set) var cause: SystemError?

  init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  init(_ code: Code, _ cause: SystemError) {
    self.init(code, cause.message)
    self.cause = cause
  }

  /// Returns the error for a device that could not be created.
  package static func noDevice(_ error: PasskeyCryptoError) -> TransportError { TransportError(.noDevice, "\(error)") }

  /// The error codes. Raw values are stable; codes are only added.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// A frame ends before its announced length, or its type is unknown.
    case brokenFrame = "transport.broken-frame"
    /// A frame exceeds the maximum length.
    case frameTooLong = "transport.frame-too-long"
    /// Reading from the peer failed.
    case readFailed = "transport.read-failed"
    /// Writing to the peer failed.
    case writeFailed = "transport.write-failed"
    /// No socket can be opened at the path.
    case cannotListen = "transport.cannot-listen"
    /// No process listens at the socket's path.
    case cannotConnect = "transport.cannot-connect"
    /// The kernel did not create a virtual USB device.
    case cannotPlugIn = "transport.cannot-plug-in"
    /// The device could not be created.
    case noDevice = "transport.no-device"
  }
}

/// The codes of an error frame (CTAP 2.3 §11.2.9.1.6).
enum LinkError: UInt8 {
  case invalidCommand = 0x01
  case invalidParameter = 0x02
  case invalidLength = 0x03
  case invalidSequence = 0x04
  case timeout = 0x05
  case channelBusy = 0x06
  case lockRequired = 0x0a
  case invalidChannel = 0x0b
  case other = 0x7f
}

/// The device properties in the response to CTAPHID_INIT (CTAP 2.3 §11.2.9.1.3).
enum DeviceAnnouncement {
  static let interfaceVersion: UInt8 = 2
  /// The software version: major, minor, build.
  static let version: [UInt8] = [0, 1, 0]
  /// WINK (0x01) and CBOR (0x04). NMSG (0x08) is not set, because U2F is supported.
  static let capabilities: UInt8 = 0x01 | 0x04
}
