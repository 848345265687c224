// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import Glibc
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnTypes
internal import WireFormats

/// A connection to a device, and the thread that serves it. It never blocks a thread of the cooperative pool.
final class FrameLink: Sendable {
  private let connection: Int32
  private let bell: WakeUp
  private let process: ChildProcess?
  private let state = Locked(State())

  // 2 s  [a device exits when its connection closes; after this time it is disconnected]
  private static let patience = Duration.seconds(2)

  private struct State {
    var outgoing: [UInt8] = []
    var waiting: CheckedContinuation<Result<Bytes, CTAPError>, Never>?
    var isClosing = false
    /// The reason why the connection ended.
    var end: String?
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  /// Takes ownership of the connection.
  init(connection: Int32, process: ChildProcess?) throws(ClientError) {
    self.connection = connection
    self.process = process
    bell = WakeUp()
    guard bell.isUsable, SystemThread.start({ [self] in serve() }) else {
      Glibc.close(connection)
      process?.end(within: 0)
      throw ClientError(.authenticatorFailed, "there is no thread to be had for the device")
    }
  }

  /// Sends a frame and returns the response.
  func exchange(_ frame: [UInt8]) async -> Result<Bytes, CTAPError> {
    await withCheckedContinuation { (continuation) in
      let refusal: CTAPError? = state.withLock { (state) in
        if let end = state.end { return CTAPError(.other, end) }
        guard state.waiting == nil else { return CTAPError(.channelBusy) }
        state.waiting = continuation
        state.outgoing += frame
        return nil
      }
      if let refusal { continuation.resume(returning: .failure(refusal)) } else { bell.ring() }
    }
  }

  /// Sends a cancel frame. The device then answers the pending command early.
  func cancel() {
    state.withLock { (state) in
      if state.waiting != nil, state.end == nil { state.outgoing += FrameBuffer.encode(FrameType.cancel, []) }
    }
    bell.ring()
  }

  func close() {
    state.withLock { (state) in state.isClosing = true }
    bell.ring()
  }

  func closed() async {
    close()
    await withCheckedContinuation { (continuation) in
      let isOver = state.withLock { (state) in
        if state.end == nil { state.closers.append(continuation) }
        return state.end != nil
      }
      if isOver { continuation.resume() }
    }
  }
}

// MARK: On the thread

extension FrameLink {
  private func serve() {
    let reason = exchangeUntilTheEnd()
    Glibc.close(connection)
    let isClosing = state.withLock { (state) in state.isClosing }
    let words = process?.end(within: isClosing ? 2000 : 1000) ?? reason
    let (waiting, closers) = state.withLock { (state) in
      state.end = isClosing ? "the device was pulled out" : words
      defer { (state.waiting, state.closers) = (nil, []) }
      return (state.waiting, state.closers)
    }
    waiting?.resume(returning: .failure(CTAPError(.other, isClosing ? "the device was pulled out" : words)))
    for closer in closers { closer.resume() }
  }

  /// Sends and receives until the connection ends. Returns the reason.
  private func exchangeUntilTheEnd() -> String {
    var buffer = FrameBuffer()
    // The deadline of the device after our side was closed.
    var end: ContinuousClock.Instant?
    while true {
      let (hasOutput, isClosing) = state.withLock { (state) in
        // Discard unsent data, since no caller waits for its response.
        if state.isClosing { state.outgoing = [] }
        return (!state.outgoing.isEmpty, state.isClosing)
      }
      if isClosing, end == nil {
        shutdown(connection, Int32(SHUT_WR))
        end = .now + Self.patience
      }
      let left = end.map { (end) in max(.zero, end - .now) }
      if left == .zero { return "the device goes on" }
      var events = [
        pollfd(fd: connection, events: Int16(POLLIN | (hasOutput ? POLLOUT : 0)), revents: 0),
        pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&events, 2, left.map { (left) in Int32(left / .milliseconds(1)) + 1 } ?? -1)
      guard count >= 0 || errno == EINTR else { return "the device cannot be waited for: \(SystemMessage.last)" }
      bell.clear()
      if hasOutput, let failure = sendOutput() { return failure }
      if count > 0, events[0].revents != 0, let failure = receive(into: &buffer) { return failure }
    }
  }

  /// Sends as much as possible without blocking. Returns an error message if the connection ended.
  private func sendOutput() -> String? {
    state.withLock { (state) in
      let count = unsafe state.outgoing.withUnsafeBytes { (bytes) in
        unsafe send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count >= 0 {
        state.outgoing.removeFirst(count)
        return nil
      }
      return [EAGAIN, EINTR].contains(errno) ? nil : "the device has closed its side: \(SystemMessage.last)"
    }
  }

  /// Receives available data. Returns an error message if the connection ended.
  private func receive(into buffer: inout FrameBuffer) -> String? {
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe chunk.withUnsafeMutableBytes { (chunk) in
      unsafe recv(connection, chunk.baseAddress, chunk.count, Int32(MSG_DONTWAIT))
    }
    guard count != 0 else { return "the device has closed its side" }
    guard count > 0 else {
      return [EAGAIN, EINTR].contains(errno) ? nil : "the device has closed its side: \(SystemMessage.last)"
    }
    buffer.append(chunk.prefix(count))
    while true {
      switch buffer.take() {
      case .nothing: return nil
      case .nonsense: return "the device sent what is no frame"
      case .frame(FrameType.cbor, let payload): answer(.success(payload))
      case .frame(FrameType.error, let payload):
        answer(.failure(CTAPError(CTAPStatus(rawValue: payload.first ?? 0x7f), "the device refused the frame")))
      // A keep-alive frame, or an unsolicited response.
      case .frame: continue
      }
    }
  }

  private func answer(_ result: Result<Bytes, CTAPError>) {
    let waiting = state.withLock { (state) in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: result)
  }
}
