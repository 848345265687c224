// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats

// request = kind (1) | payload, reply = success flag (1) | payload. Each is one frame. A connection carries one request
// and one reply.

/// A request to the agent.
package enum AgentRequest {
  /// Requests the key of the vault with this salt. The reply's payload is the key's secret.
  case key(salt: Bytes)
  /// Adds a key to the agent.
  case add(path: String, secret: SecretBytes)
  /// Deletes all keys from the agent.
  case lock
  /// Requests the agent's status. The reply's payload is JSON.
  case status
  case stop

  /// The request as a frame. It may contain a secret, so the caller must wipe it.
  package var frame: [UInt8] {
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

  /// Parses a frame. Returns nil if it is not a valid request.
  package init?(_ frame: Bytes) {
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

/// A reply from the agent.
package enum AgentReply {
  case done(Bytes)
  case refused
}
