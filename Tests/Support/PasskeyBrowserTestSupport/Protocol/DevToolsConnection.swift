// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeySystem
internal import PasskeyTestSupport

/// A connection to a browser over its DevTools pipe: JSON messages that end with a zero byte.
///
/// Two threads of its own read and write, so that no thread of Swift's cooperative pool waits for the browser.
package final class DevToolsConnection: Sendable {
  /// Handles an event: its name and its parameters.
  package typealias EventHandler = @Sendable (String, JSONValue) -> Void

  private enum Reply: Sendable {
    case result(JSONValue)
    case refusal(String)
  }

  private struct Listener: Sendable {
    let handle: EventHandler
    /// Fails the waits for events that began before a moment.
    let failWaits: @Sendable (ContinuousClock.Instant) -> Void
    let fail: @Sendable (BrowserError) -> Void
  }

  private struct Messages {
    var nextNumber = 1
    var replies: [Int: Reply] = [:]
    var listeners: [String: Listener] = [:]
  }

  private struct Outgoing {
    var texts: [[UInt8]] = []
    var isClosed = false
    /// The threads that still use the descriptor.
    var threadCount = 2
  }

  private let descriptor: FileDescriptor
  private let messages = Watched(Messages())
  private let outgoing = Locked(Outgoing())
  private let onEnd: @Sendable () -> BrowserError

  /// Creates a connection over one end of a socket pair, which it closes at its end. It calls `onEnd` when the browser closes
  /// the other end, for the error of the commands that wait.
  init(_ descriptor: FileDescriptor, onEnd: @escaping @Sendable () -> BrowserError) throws(BrowserError) {
    self.descriptor = descriptor
    self.onEnd = onEnd
    guard SystemThread.start({ [self] in write() }), SystemThread.start({ [self] in read() }) else {
      throw .notStarted("no thread for the connection")
    }
  }

  /// Sends a command, such as `Page.navigate`, to the target of a session or to the browser, and returns its result.
  @discardableResult
  package func send(
    _ method: String, session: String? = nil, _ parameters: (inout JSONObjectWriter) -> Void = { _ in }
  ) async throws -> JSONValue {
    let number = messages.update { (messages) in
      defer { messages.nextNumber += 1 }
      return messages.nextNumber
    }
    let text = JSON.writeObject { (message: inout JSONObjectWriter) in
      message.write("id", .integer(number))
      message.write("method", method)
      if let session { message.write("sessionId", session) }
      message.writeObject("params", parameters)
    }
    outgoing.update { $0.texts.append(text + [0]) }
    let reply = try await messages.wait(for: method) { $0.replies.removeValue(forKey: number) }
    switch reply {
    case .result(let result): return result
    case .refusal(let message): throw BrowserError.refused(command: method, message: message)
    }
  }

  /// Passes the events of a session to a handler, which must not block. Waits for `watched` end with the browser, and at the limit
  /// of `HangGuard`.
  func listen<Value>(to session: String, _ watched: Watched<Value>, _ handle: @escaping EventHandler) {
    let listener = Listener(
      handle: handle, failWaits: { watched.failWaits(before: $0) }, fail: { watched.fail($0) })
    messages.update { $0.listeners[session] = listener }
  }

  /// Ends ``listen(to:_:_:)``.
  func endListening(to session: String) {
    messages.update { $0.listeners[session] = nil }
  }

  private var listeners: [Listener] { messages.update { Array($0.listeners.values) } }

  /// Closes the connection, which ends the browser.
  func close() {
    outgoing.update { (outgoing) in
      outgoing.isClosed = true
      if outgoing.threadCount > 0 { descriptor.shutDown(.both) }
    }
  }

  // MARK: The two threads

  /// Closes the descriptor if the other thread has ended too.
  private func leave() {
    outgoing.update { (outgoing) in
      outgoing.isClosed = true
      outgoing.threadCount -= 1
      if outgoing.threadCount == 0 { descriptor.close() }
    }
  }

  private func write() {
    defer { leave() }
    while true {
      let texts: [[UInt8]]? = outgoing.wait { (outgoing) in
        guard outgoing.texts.isEmpty else {
          defer { outgoing.texts = [] }
          return .some(outgoing.texts)
        }
        return outgoing.isClosed ? .some(nil) : nil
      }
      guard let texts else { return }
      for text in texts {
        // The reading thread reports a broken connection.
        guard (try? descriptor.sendAll(text)) != nil else { return }
      }
    }
  }

  private func read() {
    var received: [UInt8] = []
    var searched = 0
    let limit = Duration.seconds(HangGuard.seconds)
    while true {
      _ = descriptor.wait(for: .reading, until: .now + limit)
      let moment = ContinuousClock.now - limit
      messages.failWaits(before: moment)
      for listener in listeners { listener.failWaits(moment) }
      do throws(SystemError) {
        let bytes = try descriptor.receive(upTo: 1 << 18)
        guard !bytes.isEmpty else { break }
        received += bytes
      } catch {
        if error == .wouldBlock { continue }
        break
      }
      while let end = received[searched...].firstIndex(of: 0) {
        deliver(Array(received[..<end]))
        received.removeFirst(end + 1)
        searched = 0
      }
      searched = received.count
    }
    leave()
    let error = onEnd()
    messages.fail(error)
    for listener in listeners { listener.fail(error) }
  }

  private func deliver(_ text: [UInt8]) {
    do throws(WireError) {
      let message = try JSON.parse(text[...], maximumSize: Int.max)
      guard let number = try message["id"] else {
        let session = try message["sessionId"]?.string ?? ""
        let listener = messages.update { $0.listeners[session] }
        listener?.handle(try message.require("method").string, try message.require("params"))
        return
      }
      let reply: Reply =
        if let error = try message["error"] {
          .refusal(try error.require("message").string)
        } else {
          .result(try message.require("result"))
        }
      let index: Int = try number.integer()
      messages.update { $0.replies[index] = reply }
    } catch {
      messages.fail(.malformedMessage(error))
    }
  }
}
