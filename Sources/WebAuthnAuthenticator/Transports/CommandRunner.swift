// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import Glibc
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnTypes
internal import WireFormats

/// Carries out one message at a time for a door, and says meanwhile that the device is alive.
final class CommandRunner: Sendable {
  /// What the other side hears while it waits (CTAP 2.3 §11.2.9.1.8).
  enum KeepAlive: UInt8 {
    case processing = 1
    case userPresenceNeeded = 2
  }

  /// How often it hears it.
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

  /// Whether a message is being carried out.
  var isBusy: Bool { pending.withLock { (pending) in pending != nil } }

  /// Starts on a message, unless there is one already. After `finish` nothing more is said of it.
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

  /// Gives up the message that is being carried out, which still gets its answer.
  func cancel() {
    let isPending = pending.withLock { (pending) in
      pending?.isCancelled = true
      return pending != nil
    }
    if isPending { Task { await device.cancel() } }
  }

  /// Gives up what waits for a user and lets everything else come to its end: whoever sent a request and closed its side
  /// still hears the answer.
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

  /// A cancellation that came before there was anything to cancel is repeated here.
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

/// What a device can be sent.
enum DeviceMessage: Sendable {
  /// A CTAP2 command byte with its CBOR.
  case cbor(Bytes)
  /// A U2F message.
  case apdu(Bytes)
}
