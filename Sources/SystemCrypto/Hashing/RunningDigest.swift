// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

/// The hash of a message that comes in parts.
///
/// It can be finished once: the compiler sees to it. ``copy()`` is for the digest of what has come so far.
public struct RunningDigest: ~Copyable {
  private let context: DigestContext

  /// The hash function.
  public let function: COSEHash

  /// Starts with nothing seen.
  public init(_ function: COSEHash) {
    do throws(CryptoError) {
      context = try DigestContext(function)
    } catch {
      fatalError("libcrypto has no \(function.rawValue)")
    }
    self.function = function
  }

  private init(_ context: DigestContext, _ function: COSEHash) {
    self.context = context
    self.function = function
  }

  /// Takes the next part of the message.
  public mutating func update(_ part: Bytes) {
    context.update(part)
  }

  /// The digest of all the parts.
  public consuming func finish() -> [UInt8] {
    unsafe context.finish { (digest) in unsafe Array(digest) }
  }

  /// Another one that has seen the same parts.
  public func copy() -> RunningDigest {
    RunningDigest(context.copy(), function)
  }
}
