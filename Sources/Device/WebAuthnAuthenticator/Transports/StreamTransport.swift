// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
internal import PasskeySystem

/// Frames over a pair of byte streams, such as pipes or a socket: a four-byte big-endian length followed by that many
/// bytes. Thread-safe.
package final class StreamTransport: Transport {
  // 1 MiB  [hundreds of times the longest message; a larger length is invalid]
  static let maximumFrameByteCount = 1 << 20

  // 10 s  [a running server accepts a connection and reads a request within milliseconds]
  private static let sendTimeLimit = Duration.seconds(10)

  let input: FileDescriptor
  private let output: FileDescriptor
  private let isOwner: Bool
  private let received = Locked(ReceivedBytes())
  private let sending = Locked(0)

  /// Creates a transport over these descriptors. The caller closes them.
  package init(input: Int32, output: Int32) {
    self.input = FileDescriptor(number: input)
    self.output = FileDescriptor(number: output)
    isOwner = false
  }

  /// Creates a transport that owns a connected socket and closes it on release.
  init(owning connection: FileDescriptor) {
    input = connection
    output = connection
    isOwner = true
  }

  deinit {
    if isOwner { input.close() }
  }

  /// Connects to the Unix socket at `path`. Connecting and each later write time out after ten seconds.
  ///
  /// - Throws: `transport.cannot-connect`.
  package static func connected(toUnixSocket path: String) throws(TransportError) -> StreamTransport {
    do throws(SystemError) {
      return StreamTransport(owning: try UnixSocket.connect(to: path, sendTimeLimit: sendTimeLimit))
    } catch {
      throw TransportError(.cannotConnect, error)
    }
  }

  /// The user ID of the process at the other end of a Unix socket; nil for any other stream.
  package var peerUserID: UInt32? { input.peerUserID }

  /// Waits for the next frame.
  ///
  /// - Throws: `transport.broken-frame` if the stream ends within a frame, `transport.frame-too-long` or
  ///   `transport.read-failed`.
  package func receive(waitingAtMost limit: Duration?) throws(TransportError) -> Received {
    try received.withLock { (bytes) throws(TransportError) in
      while true {
        if let frame = try bytes.takeFrame() { return .frame(frame) }
        if let limit, !input.wait(for: .reading, until: .now + limit) { return .nothing }
        guard try readMore(into: &bytes) else {
          guard bytes.isEmpty else { throw TransportError(.brokenFrame, "the stream ends within a frame") }
          return .end
        }
      }
    }
  }

  /// Sends a frame, without interleaving those of other threads.
  ///
  /// - Throws: `transport.write-failed`.
  package func send(_ head: [UInt8], _ payload: some ByteSource) throws(TransportError) {
    let payload = payload.slice
    let count = head.count + payload.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + count)
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    bytes += head
    bytes += payload
    // A frame may contain a secret.
    defer { bytes.wipe() }
    do throws(SystemError) {
      try sending.withLock { (_) throws(SystemError) in
        // Sending over a socket, unlike writing, reports a closed connection as an error and not by SIGPIPE.
        if isOwner { try output.sendAll(bytes) } else { try output.write(bytes) }
      }
    } catch {
      throw TransportError(.writeFailed, error)
    }
  }

  /// Reads more bytes. Returns false at the end of the stream.
  private func readMore(into bytes: inout ReceivedBytes) throws(TransportError) -> Bool {
    do throws(SystemError) {
      return try bytes.read(from: input)
    } catch {
      // Treat a connection reset like the end of the stream.
      if error == .connectionReset { return false }
      throw TransportError(.readFailed, error)
    }
  }
}

/// The received bytes that are not taken yet. Wipes those of a taken frame, which may contain secrets.
private struct ReceivedBytes {
  private var memory = [UInt8](repeating: 0, count: Self.initialCapacity)

  /// The bytes of the memory that are not taken yet.
  private var rest = 0..<0

  // 16 KiB  [twice the longest message; a longer frame doubles it]
  private static let initialCapacity = 1 << 14

  var isEmpty: Bool { rest.isEmpty }

  /// Waits for more bytes. Returns false at the end of the stream.
  mutating func read(from input: FileDescriptor) throws(SystemError) -> Bool {
    if rest.upperBound == memory.count { makeRoom() }
    let count = try input.read(into: &memory, from: rest.upperBound)
    rest = rest.lowerBound..<rest.upperBound + count
    return count > 0
  }

  /// Removes the first frame if it is complete.
  mutating func takeFrame() throws(TransportError) -> Bytes? {
    let start = rest.lowerBound + 4
    guard start <= rest.upperBound else { return nil }
    let length = memory[rest.lowerBound..<start].reduce(0) { (length, byte) in length << 8 | Int(byte) }
    guard length <= StreamTransport.maximumFrameByteCount else {
      throw TransportError(.frameTooLong, "\(length) bytes")
    }
    let end = start + length
    guard end <= rest.upperBound else { return nil }
    let frame = [UInt8](memory[start..<end])
    memory.wipe(start..<end)
    rest = end < rest.upperBound ? end..<rest.upperBound : 0..<0
    return frame[...]
  }

  /// Moves the bytes to the beginning of the memory, or doubles the memory if they fill it.
  private mutating func makeRoom() {
    var former = memory
    memory = [UInt8](repeating: 0, count: rest.lowerBound > 0 ? former.count : 2 * former.count)
    memory.replaceSubrange(0..<rest.count, with: former[rest])
    rest = 0..<rest.count
    former.wipe()
  }
}
