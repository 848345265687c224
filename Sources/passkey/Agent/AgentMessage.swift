// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

// request = kind (1) | payload, reply = whether it was done (1) | payload; each is one frame, and a connection carries one of
// each.

/// What the agent is asked for.
enum AgentRequest {
  /// The key of the vault with this salt. The reply's payload is the key's secret.
  case key(salt: Bytes)
  /// Keep a key.
  case add(path: String, secret: SecretBytes)
  /// Forget all keys.
  case lock
  /// The reply's payload is JSON.
  case status
  case stop

  /// The request as a frame, which may carry a secret: the caller wipes it.
  var frame: [UInt8] {
    switch self {
    case .key(let salt): return [Kind.key.rawValue] + salt
    case .lock: return [Kind.lock.rawValue]
    case .status: return [Kind.status.rawValue]
    case .stop: return [Kind.stop.rawValue]
    case .add(let path, let secret):
      var bytes: [UInt8] = []
      bytes.reserveCapacity(1 + 2 + path.utf8.count + secret.count)
      bytes.append(Kind.add.rawValue)
      bytes.append(UInt8(truncatingIfNeeded: path.utf8.count >> 8))
      bytes.append(UInt8(truncatingIfNeeded: path.utf8.count))
      bytes += path.utf8
      secret.withBytes { (secret) in bytes += secret }
      return bytes
    }
  }

  /// Reads a frame; nil where it is no request.
  init?(_ frame: Bytes) {
    var reader = ByteReader(frame)
    guard let byte = try? reader.readByte(), let kind = Kind(rawValue: byte) else { return nil }
    switch kind {
    case .key: self = .key(salt: reader.readRest())
    case .lock: self = .lock
    case .status: self = .status
    case .stop: self = .stop
    case .add:
      guard let count = try? reader.readUInt16(), let path = try? reader.read(Int(count)) else { return nil }
      self = .add(path: String(decoding: path, as: UTF8.self), secret: SecretBytes(reader.readRest()))
    }
  }

  private enum Kind: UInt8 {
    case key = 1
    case add = 2
    case lock = 3
    case status = 4
    case stop = 5
  }
}

/// What the agent answers.
enum AgentReply {
  case done(Bytes)
  case refused
}
