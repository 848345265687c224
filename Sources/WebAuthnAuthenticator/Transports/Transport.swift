// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WireFormats

/// A way for a device to be reached: frames in and frames out. What is in them is a door's affair.
public protocol Transport: Sendable {
  /// Waits for the next frame, at most so long, or until there is one.
  func receive(waitingAtMost limit: Duration?) throws(TransportError) -> Received

  /// Sends a frame. Two at once do not mix.
  func send(_ frame: Bytes) throws(TransportError)
}

/// What came of waiting for a frame.
public enum Received: Hashable, Sendable {
  /// One came.
  case frame(Bytes)
  /// The time was up.
  case nothing
  /// The other side has left, between two frames.
  case end
}

/// Why a transport can go on no longer.
public struct TransportError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// The system's words.
  public let detail: String?

  init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  /// There is nothing to be reached: the device could not be made.
  public static func noDevice(_ error: CryptoError) -> TransportError { TransportError(.noDevice, "\(error)") }

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// A frame ends before the length that it announced, or is of no kind that there is.
    case brokenFrame = "transport.broken-frame"
    /// A frame announced more bytes than any message has.
    case frameTooLong = "transport.frame-too-long"
    /// The other side's bytes cannot be read.
    case readFailed = "transport.read-failed"
    /// The other side cannot be written to.
    case writeFailed = "transport.write-failed"
    /// No socket can be opened at the path.
    case cannotListen = "transport.cannot-listen"
    /// Nobody listens at the socket's path.
    case cannotConnect = "transport.cannot-connect"
    /// The device at the end of the transport could not be made.
    case noDevice = "transport.no-device"
  }
}

extension TransportError: CustomStringConvertible {
  /// The code and the system's words.
  public var description: String { detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
