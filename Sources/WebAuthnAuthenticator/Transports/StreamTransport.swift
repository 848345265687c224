// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemCrypto
internal import SystemIO
public import WireFormats

/// Frames over a pair of byte streams, such as pipes or a socket: a four-byte big-endian length followed by that many
/// bytes.
public final class StreamTransport: Transport {
  // 1 MiB  [hundreds of times the longest message; a larger length is invalid]
  static let maximumFrameByteCount = 1 << 20

  let input: Int32
  private let output: Int32
  private let isOwner: Bool
  private let received = Locked<[UInt8]>([])
  private let sending = Locked(0)

  /// Creates a transport over these descriptors. The caller closes them.
  public init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
    isOwner = false
  }

  /// Creates a transport that owns a connected socket and closes it on release.
  init(owning connection: Int32) {
    input = connection
    output = connection
    isOwner = true
  }

  deinit {
    if isOwner { close(input) }
  }

  /// Waits for the next frame.
  public func receive(waitingAtMost limit: Duration?) throws(TransportError) -> Received {
    try received.withLock { (buffer) throws(TransportError) in
      while true {
        if let frame = try Self.takeFrame(from: &buffer) { return .frame(frame) }
        guard waitForInput(limit) else { return .nothing }
        guard try readMore(into: &buffer) else {
          guard buffer.isEmpty else { throw TransportError(.brokenFrame, "the stream ends within a frame") }
          return .end
        }
      }
    }
  }

  /// Sends a frame, without interleaving those of other threads.
  public func send(_ frame: Bytes) throws(TransportError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + frame.count)
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: frame.count >> shift)) }
    bytes += frame
    // A frame may contain a secret.
    defer { bytes.wipe() }
    try sending.withLock { (_) throws(TransportError) in
      var sent = 0
      while sent < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { (bytes) in
          unsafe write(bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        }
        if count >= 0 {
          sent += count
        } else if errno != EINTR {
          throw TransportError(.writeFailed, SystemMessage.last)
        }
      }
    }
  }

  /// Writes bytes. On a socket, suppresses SIGPIPE, so that a closed connection is an error.
  private func write(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    isOwner
      ? unsafe Glibc.send(output, bytes, count, Int32(MSG_NOSIGNAL)) : unsafe Glibc.write(output, bytes, count)
  }

  private static func takeFrame(from buffer: inout [UInt8]) throws(TransportError) -> Bytes? {
    guard buffer.count >= 4 else { return nil }
    let length = buffer.prefix(4).reduce(0) { (length, byte) in length << 8 | Int(byte) }
    guard length <= maximumFrameByteCount else { throw TransportError(.frameTooLong, "\(length) bytes") }
    guard buffer.count >= 4 + length else { return nil }
    let taken = [UInt8](buffer[4..<4 + length])
    var former = [UInt8](buffer.dropFirst(4 + length))
    swap(&buffer, &former)
    former.wipe()
    return taken[...]
  }

  /// Whether input is available before the time-out. A signal may end the wait early.
  private func waitForInput(_ limit: Duration?) -> Bool {
    guard let limit else { return true }
    var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    let milliseconds = limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000
    return unsafe poll(&waiting, 1, Int32(clamping: max(0, milliseconds))) > 0
  }

  /// Reads more bytes. Returns false at the end of the stream.
  private func readMore(into buffer: inout [UInt8]) throws(TransportError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { (chunk) in unsafe read(input, chunk.baseAddress, chunk.count) }
      if count >= 0 {
        buffer += chunk.prefix(count)
        chunk.wipe()
        return count > 0
      }
      // Treat a connection reset like the end of the stream.
      if errno == ECONNRESET { return false }
      guard errno == EINTR else { throw TransportError(.readFailed, SystemMessage.last) }
    }
  }
}
