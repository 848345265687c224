// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnTypes
internal import WireFormats

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
  private let pending = Locked<Pending?>(nil)

  private struct Pending {
    var isCancelled = false
  }

  init(_ device: any SecurityKey, isUserNeeded: @escaping @Sendable () -> Bool) {
    self.device = device
    self.isUserNeeded = isUserNeeded
  }

  /// Starts a request. Returns false if one is already running. Sends no keep-alive after `finish`.
  func start(
    _ message: DeviceMessage, on channel: DeviceChannel = .only, keepAlive: @escaping @Sendable (KeepAlive) -> Void,
    finish: @escaping @Sendable (DeviceReply) -> Void
  ) -> Bool {
    let isFree = pending.withLock { (pending) in
      guard pending == nil else { return false }
      pending = Pending()
      return true
    }
    guard isFree else { return false }
    let keepAlives = Task { await sendKeepAlives(keepAlive) }
    Task {
      let reply = await perform(message, on: channel)
      keepAlives.cancel()
      pending.update { (pending) in
        pending = nil
        finish(reply)
      }
    }
    return true
  }

  /// Cancels the running request, which still sends a response.
  func cancel() {
    let isPending = pending.withLock { (pending) in
      pending?.isCancelled = true
      return pending != nil
    }
    if isPending { Task { await device.cancel() } }
  }

  /// Cancels the running request if it waits for a user, and blocks until it has finished. A client that sent a request
  /// and then closed its side still receives the response.
  func close() {
    cancel()
    pending.wait { (pending) in pending == nil ? () : nil }
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

  /// Sends keep-alives. Repeats a cancellation that arrived before the device had anything to cancel.
  private func sendKeepAlives(_ keepAlive: @Sendable (KeepAlive) -> Void) async {
    while (try? await Task.sleep(for: Self.keepAliveInterval)) != nil {
      let isCancelled = pending.withLock { (pending) in
        guard let pending else { return false }
        keepAlive(isUserNeeded() ? .userPresenceNeeded : .processing)
        return pending.isCancelled
      }
      if isCancelled { await device.cancel() }
    }
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
  let body: Bytes

  /// The status byte, if there is one.
  var head: [UInt8] { status.map { (status) in [status.rawValue] } ?? [] }
}
