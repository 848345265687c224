// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WireFormats

/// A connection to a device, as a stream of frames. ``FrameDoor`` and ``HIDDoor`` interpret the frames.
public protocol Transport: Sendable {
  /// Waits for the next frame, at most `limit`, or without a limit if it is nil.
  func receive(waitingAtMost limit: Duration?) throws(TransportError) -> Received

  /// Sends a frame. Concurrent frames are not interleaved.
  func send(_ frame: Bytes) throws(TransportError)
}

/// The result of waiting for a frame.
public enum Received: Hashable, Sendable {
  /// A frame.
  case frame(Bytes)
  /// The time-out expired.
  case nothing
  /// The peer disconnected, between two frames.
  case end
}

/// A fatal error of a transport.
public struct TransportError: Error, Hashable, Sendable {
  /// The error code.
  public let code: Code

  /// The system's error message.
  public let detail: String?

  init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  /// Returns the error for a device that could not be created.
  public static func noDevice(_ error: CryptoError) -> TransportError { TransportError(.noDevice, "\(error)") }

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
    /// The device could not be created.
    case noDevice = "transport.no-device"
  }
}

extension TransportError: CustomStringConvertible {
  /// The code and the system's error message.
  public var description: String { detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
