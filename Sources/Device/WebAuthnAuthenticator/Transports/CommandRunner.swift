// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnTypes

/// Runs one request at a time and sends keep-alives meanwhile.
final class CommandRunner: Sendable {
  /// The status of a keep-alive message (CTAP 2.3 §11.2.9.1.8).
  enum KeepAlive: UInt8 {
    case processing = 1
    case userPresenceNeeded = 2
  }

  /// The interval between keep-alives.
  static let keepAliveInterval = Duration.milliseconds(100)

  private let device: any SecurityKey
  private let isUserNeeded: @Sendable () -> Bool
  private let executor = InlineExecutor()
  private let state = Locked(State())

  private struct State {
    var pending: Pending?
    /// Whether a task sends the keep-alives. One task serves many short requests.
    var hasTimer = false
  }

  private struct Pending {
    let keepAlive: @Sendable (KeepAlive) -> Void
    var nextKeepAlive: ContinuousClock.Instant
    var isCancelled = false
  }

  init(_ device: any SecurityKey, isUserNeeded: @escaping @Sendable () -> Bool) {
    self.device = device
    self.isUserNeeded = isUserNeeded
  }

  /// Starts a request, and finishes it unless it waits for the user. Returns false if one is already running. Sends no
  /// keep-alive after `finish`, which must not call this runner nor take a lock that the caller holds. One thread at a
  /// time may call this.
  func start(
    _ message: DeviceMessage, on channel: DeviceChannel = .only, keepAlive: @escaping @Sendable (KeepAlive) -> Void,
    finish: @escaping @Sendable (DeviceReply) -> Void
  ) -> Bool {
    let (isFree, needsTimer) = state.withLock { (state) in
      guard state.pending == nil else { return (false, false) }
      defer { state.hasTimer = true }
      state.pending = Pending(keepAlive: keepAlive, nextKeepAlive: .now + Self.keepAliveInterval)
      return (true, !state.hasTimer)
    }
    guard isFree else { return false }
    if needsTimer {
      Task { [weak self] in
        while let next = await self?.sendDueKeepAlive() { try? await Task.sleep(until: next) }
      }
    }
    executor.run { [self] in
      let reply = await perform(message, on: channel)
      state.update { (state) in
        state.pending = nil
        finish(reply)
      }
    }
    return true
  }

  /// Cancels the running request, which still sends a response.
  func cancel() {
    let isPending = state.withLock { (state) in
      state.pending?.isCancelled = true
      return state.pending != nil
    }
    if isPending { Task { await device.cancel() } }
  }

  /// Cancels the running request if it waits for a user, and blocks until it has finished. A client that sent a request
  /// and then closed its side still receives the response.
  func close() {
    cancel()
    state.wait { (state) in state.pending == nil ? () : nil }
  }

  private func perform(_ message: DeviceMessage, on channel: DeviceChannel) async -> DeviceReply {
    switch message {
    case .apdu(let command):
      return DeviceReply(status: nil, body: await device.respond(toAPDU: command, on: channel))
    case .cbor(let request):
      guard let command = request.first else { return DeviceReply(status: .invalidLength, body: []) }
      do throws(CTAPError) {
        let body = try await device.perform(CTAPCommand(rawValue: command), request.dropFirst(), on: channel)
        return DeviceReply(status: .success, body: body)
      } catch {
        return DeviceReply(status: error.status, body: [])
      }
    }
  }

  /// Sends a keep-alive if it is time. Repeats a cancellation that arrived before the device had anything to cancel.
  ///
  /// - Returns: The time of the next keep-alive; nil if no request is running, which ends the timer.
  private func sendDueKeepAlive() async -> ContinuousClock.Instant? {
    let (next, isCancelled) = state.withLock { (state) -> (ContinuousClock.Instant?, Bool) in
      guard let pending = state.pending else {
        state.hasTimer = false
        return (nil, false)
      }
      guard pending.nextKeepAlive <= .now else { return (pending.nextKeepAlive, false) }
      let next = ContinuousClock.now + Self.keepAliveInterval
      state.pending?.nextKeepAlive = next
      pending.keepAlive(isUserNeeded() ? .userPresenceNeeded : .processing)
      return (next, pending.isCancelled)
    }
    if isCancelled { await device.cancel() }
    return next
  }
}

/// A request to a device.
enum DeviceMessage: Sendable {
  /// A CTAP2 command byte followed by its CBOR parameters.
  case cbor(Bytes)
  /// A U2F APDU.
  case apdu(Bytes)
}

/// A response of a device: a status byte, unless it is an APDU, and a body. The transport joins them, so that the body is
/// copied once.
struct DeviceReply {
  let status: CTAPStatus?
  let body: [UInt8]

  /// The status byte, if there is one.
  var head: [UInt8] { status.map { (status) in [status.rawValue] } ?? [] }
}
