// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyFormats

/// A source of random bytes: the system, or a seed that makes a run reproducible. Thread-safe.
///
/// Functions that need randomness take a source as a parameter. `bytes(_:)` returns public values (challenges,
/// identifiers, salts, nonces), `secret(_:)` secret ones. `SigningKey.generate(_:random:modulusBitCount:)` and
/// `KeyAgreement.init(random:)` generate keys.
///
/// Use a seeded source only in tests and test vectors: the seed determines everything drawn from it.
///
/// ## Draws of a seeded source
///
/// Draw number *i*, counted from zero, of *n* bytes is
///
///     HKDF-SHA-256(ikm: seed, salt: i, info: label, length: n)
///
/// where the salt is *i* in little-endian order, in the fewest bytes but at least one. Up to 255 this is the derivation
/// of the W3C WebAuthn test vectors, whose seed is `WebAuthn test vectors` and whose labels are the vector names. A
/// draw of more than 8,160 bytes, HKDF's maximum, is split into several draws.
/// `SigningKey.generate(_:random:modulusBitCount:)` documents the draws of a key.
public struct RandomSource: Sendable {
  private enum Kind: Sendable {
    case system
    case seeded(Seeded)
    case fixed(FixedDraws)
  }

  private let kind: Kind

  /// The system's random generator.
  public static let system = RandomSource(kind: .system)

  /// Returns a source whose draws are determined by `seed` and `label`. Copies share one sequence of draws.
  package static func seeded(_ seed: some ByteSource, label: String = "") -> RandomSource {
    RandomSource(kind: .seeded(Seeded(seed: SecretBytes(seed.slice), label: label)))
  }

  /// Returns a source that returns exactly this sequence of draws, for test vectors that list them. Any other draw
  /// fails.
  package static func fixed(_ draws: [[UInt8]]) -> RandomSource {
    RandomSource(kind: .fixed(FixedDraws(draws)))
  }

  /// Returns a source for one purpose, whose draws do not depend on earlier draws: a seeded source restarts with its
  /// seed and this label; the system source returns itself.
  package func labeled(_ label: String) -> RandomSource {
    switch kind {
    case .system, .fixed: self
    case .seeded(let source): RandomSource(kind: .seeded(Seeded(seed: source.seed, label: label)))
    }
  }

  /// Whether the draws are determined by a seed.
  package var isSeeded: Bool {
    switch kind {
    case .system: false
    case .seeded, .fixed: true
    }
  }

  /// Draws public bytes.
  ///
  /// - Throws: `crypto.randomness-unavailable`.
  package func bytes(_ count: Int) throws(PasskeyCryptoError) -> [UInt8] {
    switch kind {
    case .system:
      try SystemRandom.bytes(count)
    case .seeded(let source):
      source.draw(count)
    case .fixed(let source):
      try source.draw(count)
    }
  }

  /// Draws secret bytes. The system keeps a separate generator for these.
  ///
  /// - Throws: `crypto.randomness-unavailable`.
  public func secret(_ count: Int) throws(PasskeyCryptoError) -> SecretBytes {
    switch kind {
    case .system:
      try SystemRandom.secret(count)
    case .seeded(let source):
      SecretBytes(taking: source.draw(count))
    case .fixed(let source):
      SecretBytes(taking: try source.draw(count))
    }
  }
}

/// The draws of one seed and label.
private final class Seeded: Sendable {
  let seed: SecretBytes
  private let label: [UInt8]
  private let drawn = Locked<UInt64>(0)

  init(seed: SecretBytes, label: String) {
    self.seed = seed
    self.label = Array(label.utf8)
  }

  func draw(_ count: Int) -> [UInt8] {
    precondition(count >= 0, "a negative number of random bytes")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    repeat {
      let part = min(count - bytes.count, Self.maximumDrawByteCount)
      let derived = try? HKDF.derive(from: seed, salt: nextSalt(), info: label, byteCount: part)
      guard let derived else { preconditionFailure("HKDF rejected a valid length") }
      derived.withBytes { (derived) in bytes += derived }
    } while bytes.count < count
    return bytes
  }

  /// Little-endian, because HMAC pads keys with zeros at the end: big-endian 1 and 256 would be the same salt.
  private func nextSalt() -> [UInt8] {
    var number = drawn.withLock { (drawn) in
      defer { drawn &+= 1 }
      return drawn
    }
    var salt: [UInt8] = []
    repeat {
      salt.append(UInt8(truncatingIfNeeded: number))
      number >>= 8
    } while number > 0
    return salt
  }

  private static let maximumDrawByteCount = 255 * COSEHash.sha256.byteCount
}

/// A fixed list of draws.
private final class FixedDraws: Sendable {
  private let draws: Locked<ArraySlice<[UInt8]>>

  init(_ draws: [[UInt8]]) {
    self.draws = Locked(draws[...])
  }

  func draw(_ count: Int) throws(PasskeyCryptoError) -> [UInt8] {
    let draw = draws.withLock { (draws) in draws.popFirst() }
    guard let draw, draw.count == count else {
      throw PasskeyCryptoError(.randomnessUnavailable, "the next fixed draw does not have \(count) bytes")
    }
    return draw
  }
}
