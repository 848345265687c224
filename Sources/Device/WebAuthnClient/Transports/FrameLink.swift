// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnBrowser
internal import WebAuthnTypes

/// A connection to a device, and the thread that serves it. It never blocks a thread of the cooperative pool.
final class FrameLink: Sendable {
  private let connection: FileDescriptor
  private let wakeUp: WakeUp
  private let process: DeviceProcess?
  private let state = Locked(State())

  // 2 s  [a device exits when its connection closes; after this time it is disconnected]
  private static let closingTimeLimit = Duration.seconds(2)

  private struct State {
    var outgoing: [UInt8] = []
    var waiting: CheckedContinuation<Result<Bytes, CTAPError>, Never>?
    var isClosing = false
    /// The reason why the connection ended.
    var end: String?
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  /// Takes ownership of the connection.
  init(connection: FileDescriptor, process: DeviceProcess?) throws(ClientError) {
    self.connection = connection
    self.process = process
    wakeUp = try mapError(WakeUp()) { (error: SystemError) in Self.failure(error.message, connection, process) }
    guard SystemThread.start({ [self] in serve() }) else {
      throw Self.failure("the system cannot start a thread", connection, process)
    }
  }

  private static func failure(
    _ reason: String, _ connection: FileDescriptor, _ process: DeviceProcess?
  ) -> ClientError {
    connection.close()
    process?.end(within: .zero)
    return ClientError(.authenticatorFailed, "cannot wait for the device: \(reason)")
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
      if let refusal { continuation.resume(returning: .failure(refusal)) } else { wakeUp.ring() }
    }
  }

  /// Sends a cancel frame. The device then answers the pending command early.
  func cancel() {
    state.withLock { (state) in
      if state.waiting != nil, state.end == nil { state.outgoing += FrameBuffer.encode(FrameType.cancel, []) }
    }
    wakeUp.ring()
  }

  func close() {
    state.withLock { (state) in state.isClosing = true }
    wakeUp.ring()
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
    let lastError = exchangeUntilTheEnd()
    connection.close()
    let isClosing = state.withLock { (state) in state.isClosing }
    let processEnd = process?.end(within: .seconds(isClosing ? 2 : 1))
    let reason = isClosing ? "the device was disconnected" : processEnd ?? lastError
    let (waiting, closers) = state.withLock { (state) in
      state.end = reason
      defer { (state.waiting, state.closers) = (nil, []) }
      return (state.waiting, state.closers)
    }
    waiting?.resume(returning: .failure(CTAPError(.other, reason)))
    for closer in closers { closer.resume() }
  }

  /// Sends and receives until the connection ends. Returns the reason.
  private func exchangeUntilTheEnd() -> String {
    var buffer = FrameBuffer()
    // The deadline of the device after our side was closed.
    var deadline: ContinuousClock.Instant?
    while true {
      let (hasOutput, isClosing) = state.withLock { (state) in
        // Discard unsent data, since no caller waits for its response.
        if state.isClosing { state.outgoing = [] }
        return (!state.outgoing.isEmpty, state.isClosing)
      }
      if isClosing, deadline == nil {
        connection.shutDown(.sending)
        deadline = .now + Self.closingTimeLimit
      }
      if let deadline, deadline <= .now { return "the device has not closed the connection" }
      let isReady = FileDescriptor.wait(
        for: [(connection, hasOutput ? [.reading, .writing] : .reading), (wakeUp.descriptor, .reading)],
        until: deadline)
      wakeUp.clear()
      if hasOutput, let failure = sendOutput() { return failure }
      if isReady[0], let failure = receive(into: &buffer) { return failure }
    }
  }

  /// Sends as much as possible without blocking. Returns an error message if the connection ended.
  private func sendOutput() -> String? {
    state.withLock { (state) in
      do throws(SystemError) {
        state.outgoing.removeFirst(try connection.send(state.outgoing))
        return nil
      } catch {
        return Self.reason(error)
      }
    }
  }

  /// Receives available data. Returns an error message if the connection ended.
  private func receive(into buffer: inout FrameBuffer) -> String? {
    do throws(SystemError) {
      let bytes = try connection.receive(upTo: 1 << 14)
      guard !bytes.isEmpty else { return "the device has closed the connection" }
      buffer.append(bytes)
    } catch {
      return Self.reason(error)
    }
    while true {
      switch buffer.take() {
      case .nothing: return nil
      case .invalid: return "the device sent an invalid frame"
      case .frame(FrameType.cbor, let payload): answer(.success(payload))
      case .frame(FrameType.error, let payload):
        answer(.failure(CTAPError(CTAPStatus(rawValue: payload.first ?? 0x7f), "the device refused the frame")))
      // A keep-alive frame, or an unsolicited response.
      case .frame: continue
      }
    }
  }

  /// The reason why the connection ended; nil if the call only would have blocked.
  private static func reason(_ error: SystemError) -> String? {
    error == .wouldBlock ? nil : "the device has closed the connection: \(error.message)"
  }

  private func answer(_ result: Result<Bytes, CTAPError>) {
    let waiting = state.withLock { (state) in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: result)
  }
}
