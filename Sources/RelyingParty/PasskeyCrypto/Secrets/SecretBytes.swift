// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Secret bytes: wiped when the last reference is released, compared in constant time, never printed. Immutable, so
/// threads may share them.
///
/// The bytes are lent to closures. A closure that copies them must wipe the copy.
public final class SecretBytes: Sendable {
  private let storage: Storage

  /// Copies `bytes`.
  public convenience init(_ bytes: some Collection<UInt8>) {
    self.init(taking: Array(bytes))
  }

  /// Copies the UTF-8 bytes of a passphrase or label.
  public convenience init(utf8 text: String) {
    self.init(taking: Array(text.utf8))
  }

  init(taking bytes: [UInt8]) {
    storage = Storage(bytes)
  }

  /// Creates a secret of `count` bytes, which `fill` writes in place.
  @safe convenience init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    self.init(taking: try [UInt8](count: count, filledBy: fill))
  }

  /// The number of bytes.
  package var count: Int { storage.bytes.count }

  /// Lends the bytes to `body`. Do not keep the slice: it would prevent the wiping.
  ///
  /// - Throws: The closure's error.
  package func withBytes<Result, Failure: Error>(
    _ body: (Bytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(storage.bytes[...])
  }

  /// A copy in an ordinary array, which is not wiped.
  public var exposedBytes: [UInt8] { withBytes { (bytes) in bytes.map { (byte) in byte } } }

  /// Holds the array as its only reference, so that it is wiped in place.
  private final class Storage: @unchecked Sendable {  // Written only by `deinit`.
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    deinit {
      bytes.wipe()
    }
  }
}

extension SecretBytes: Equatable {
  /// Compares in constant time, apart from the lengths.
  public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    // Fast path: vaults compare thousands of secrets with themselves.
    left === right || left.withBytes { (left) in right.withBytes { (right) in constantTimeEquals(left, right) } }
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  /// The number of bytes, without their values.
  public var description: String { "\(count) secret bytes" }

  /// An empty mirror, for `dump` and test failures.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Compares two byte strings in a time that depends only on their lengths.
///
/// For secrets and values derived from them: PIN hashes, authentication tags, tokens.
package func constantTimeEquals(_ left: some ByteSource, _ right: some ByteSource) -> Bool {
  left.slice.equalsInConstantTime(right.slice)
}
