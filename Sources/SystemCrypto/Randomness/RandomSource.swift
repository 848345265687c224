// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import WireFormats

/// Where random bytes come from: the system, or a seed that makes a whole run repeatable.
///
/// Everything that needs randomness takes one as a parameter and draws from it: ``bytes(_:)`` for what others will see
/// (challenges, ids, salts, nonces), ``secret(_:)`` for what nobody may see; keys come from
/// ``SigningKey/generate(_:random:modulusBitCount:)`` and ``KeyAgreement/init(random:)``.
///
/// A seeded source is for tests and test vectors: whoever knows the seed knows everything drawn from it.
///
/// ## How the bytes of a seeded source are made
///
/// Draw number *i*, counted from zero, of *n* bytes is
///
///     HKDF-SHA-256(ikm: seed, salt: i, info: label, length: n)
///
/// where the salt is *i* as a little-endian number of as few bytes as hold it, and at least one. Up to 255 that is the
/// derivation of the W3C WebAuthn test vectors, whose seed is `WebAuthn test vectors` and whose labels are their names,
/// so that those can be drawn from here. A draw of more than 8,160 bytes, the most that HKDF gives, is several draws.
/// What a key draws is said where keys are generated.
public struct RandomSource: Sendable {
  private enum Kind: Sendable {
    case system
    case seeded(Seeded)
    case dealt(Dealt)
  }

  private let kind: Kind

  /// The system's random generator.
  public static let system = RandomSource(kind: .system)

  /// A source whose draws follow from `seed` and `label`. Copies of it go on with one another's draws.
  public static func seeded(_ seed: Bytes, label: String = "") -> RandomSource {
    RandomSource(kind: .seeded(Seeded(seed: SecretBytes(seed), label: label)))
  }

  /// A source that gives out just these draws, in this order: for test vectors that say what was drawn. Any other draw
  /// fails.
  package static func dealing(_ draws: [[UInt8]]) -> RandomSource {
    RandomSource(kind: .dealt(Dealt(draws)))
  }

  /// A source for one purpose, whose draws do not depend on how many others were made before: for a seeded source the one
  /// with the same seed and this label, at its beginning; for the system's, itself.
  public func labelled(_ label: String) -> RandomSource {
    switch kind {
    case .system, .dealt: self
    case .seeded(let source): RandomSource(kind: .seeded(Seeded(seed: source.seed, label: label)))
    }
  }

  /// Whether everything drawn from it follows from a seed.
  public var isSeeded: Bool {
    switch kind {
    case .system: false
    case .seeded, .dealt: true
    }
  }

  /// Draws bytes that others will see.
  public func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    switch kind {
    case .system:
      try SystemRandom.bytes(count)
    case .seeded(let source):
      source.draw(count)
    case .dealt(let source):
      try source.draw(count)
    }
  }

  /// Draws bytes that nobody may see. The system keeps a generator of its own for these.
  public func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
    switch kind {
    case .system:
      try SystemRandom.secret(count)
    case .seeded(let source):
      SecretBytes(taking: source.draw(count))
    case .dealt(let source):
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
      let part = min(count - bytes.count, Self.longestDraw)
      let derived = try? HKDF.derive(from: seed, salt: nextSalt()[...], info: label[...], byteCount: part)
      guard let derived else { preconditionFailure("HKDF refuses a length that it allows") }
      derived.withBytes { (derived) in bytes += derived }
    } while bytes.count < count
    return bytes
  }

  /// Little-endian, because HMAC pads keys with zeros at the end: 1 and 256 would be one salt the other way round.
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

  private static let longestDraw = 255 * COSEHash.sha256.byteCount
}

/// Draws that somebody else has made.
private final class Dealt: Sendable {
  private let draws: Locked<ArraySlice<[UInt8]>>

  init(_ draws: [[UInt8]]) {
    self.draws = Locked(draws[...])
  }

  func draw(_ count: Int) throws(CryptoError) -> [UInt8] {
    let draw = draws.withLock { (draws) in draws.popFirst() }
    guard let draw, draw.count == count else {
      throw CryptoError(.randomnessUnavailable, "no draw of \(count) bytes was dealt")
    }
    return draw
  }
}
