// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeySystem

/// The connection to the browser that started the host: its messages, and the thread that writes the replies.
package final class BrowserConnection: Sendable {
  // 4 MiB  [the responses of all waiting ceremonies; a browser that reads none of them gets no further ones]
  private static let maximumUnwrittenByteCount = 4 << 20

  private let input: FileDescriptor
  private let output: FileDescriptor
  private let unwrittenLimit: Int
  private let state = Locked(State())

  private struct State {
    var outgoing: [UInt8] = []
    var isClosing = false
    var isOver = false
  }

  package convenience init(input: FileDescriptor, output: FileDescriptor) throws(BrowserError) {
    try self.init(input: input, output: output, unwrittenLimit: Self.maximumUnwrittenByteCount)
  }

  init(input: FileDescriptor, output: FileDescriptor, unwrittenLimit: Int) throws(BrowserError) {
    self.unwrittenLimit = unwrittenLimit
    self.input = input
    self.output = output
    guard SystemThread.start({ [self] in write() }) else {
      throw BrowserError(.connectionFailed, "the system cannot start a thread")
    }
  }

  /// Sends a message. Returns at once.
  package func send(_ reply: BrowserReply) {
    // Responses are limited, and questions name at most 1,000 users of limited length.
    guard let message = try? NativeMessages.encode(reply.json) else { return }
    state.update { (state) in
      if !state.isOver { state.outgoing += message }
    }
  }

  /// Passes the browser's messages to the host until the browser closes the connection.
  ///
  /// - Throws: `browser-host.message-too-long`, `browser-host.message-truncated`, `browser-host.message-malformed` or
  ///   `browser-host.connection-failed`.
  package func serve(_ host: BrowserHost) async throws(BrowserError) {
    do throws(BrowserError) {
      try await exchange(with: host)
    } catch {
      await host.finish()
      await close()
      throw error
    }
    await host.finish()
    await close()
  }

  private func exchange(with host: BrowserHost) async throws(BrowserError) {
    var buffer = NativeMessageBuffer()
    while true {
      await waitForRoom()
      let received = try await read()
      guard !received.isEmpty else { return try buffer.finish() }
      buffer.append(received)
      while let message = try buffer.take() { await host.receive(try BrowserRequest(parsing: message)) }
    }
  }

  /// Waits until the browser has read most of the replies, so that requests do not fill the memory with replies.
  private func waitForRoom() async {
    let hasRoom: @Sendable (inout State) -> Bool? = { [unwrittenLimit] (state) in
      state.isOver || state.outgoing.count <= unwrittenLimit ? true : nil
    }
    guard state.withLock({ (state) in hasRoom(&state) }) == nil else { return }
    _ = await SystemThread.run { [state] in state.wait(for: hasRoom) }
  }

  private func read() async throws(BrowserError) -> [UInt8] {
    let received: [UInt8]?
    do throws(SystemError) {
      received = try await SystemThread.run { [input] () throws(SystemError) in try input.read(upTo: 1 << 16) }
    } catch {
      throw BrowserError(.connectionFailed, error.message)
    }
    guard let received else { throw BrowserError(.connectionFailed, "the system cannot start a thread") }
    return received
  }

  /// Waits until everything is written, or the browser has closed its end.
  private func close() async {
    state.update { (state) in state.isClosing = true }
    _ = await SystemThread.run { [state] in state.wait { (state) in state.isOver ? true : nil } }
  }
}

// MARK: On the thread

extension BrowserConnection {
  private func write() {
    while let bytes = nextBytes() {
      guard (try? output.write(bytes)) != nil else { break }
    }
    state.update { (state) in state.isOver = true }
  }

  /// Waits for bytes to write. Returns nil at the end.
  private func nextBytes() -> [UInt8]? {
    // For a thread that waits for room.
    defer { state.update { (_) in } }
    return state.wait { (state) -> [UInt8]?? in
      guard state.outgoing.isEmpty else {
        defer { state.outgoing = [] }
        return .some(state.outgoing)
      }
      return state.isClosing ? .some(nil) : nil
    }
  }
}
