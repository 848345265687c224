// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import Glibc
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

  /// Whether a request is running.
  var isBusy: Bool { pending.withLock { (pending) in pending != nil } }

  /// Starts a request. Returns false if one is already running. Sends no keep-alive after `finish`.
  func start(
    _ message: DeviceMessage, on channel: DeviceChannel = .only, keepAlive: @escaping @Sendable (KeepAlive) -> Void,
    finish: @escaping @Sendable (Bytes) -> Void
  ) -> Bool {
    let isFree = pending.withLock { (pending) in
      guard pending == nil else { return false }
      pending = Pending()
      return true
    }
    guard isFree else { return false }
    let signs = Task { await sayAlive(keepAlive) }
    Task {
      let answer = await carryOut(message, on: channel)
      signs.cancel()
      pending.withLock { (pending) in
        pending = nil
        finish(answer)
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

  /// Cancels the running request if it waits for a user, and waits until it has finished. A client that sent a request
  /// and then closed its side still receives the response.
  func close() {
    cancel()
    while isBusy { usleep(1000) }
  }

  private func carryOut(_ message: DeviceMessage, on channel: DeviceChannel) async -> Bytes {
    switch message {
    case .apdu(let command):
      return await device.respond(toAPDU: command, on: channel)
    case .cbor(let request):
      guard let command = request.first else { return [CTAPStatus.invalidLength.rawValue] }
      do throws(CTAPError) {
        let reply = try await device.perform(CTAPCommand(rawValue: command), request.dropFirst(), on: channel)
        return [CTAPStatus.success.rawValue] + reply
      } catch {
        return [error.status.rawValue]
      }
    }
  }

  /// Sends keep-alives. Repeats a cancellation that arrived before the device had anything to cancel.
  private func sayAlive(_ keepAlive: @Sendable (KeepAlive) -> Void) async {
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
