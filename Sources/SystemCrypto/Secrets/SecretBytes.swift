// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Bytes that nobody else should see: wiped when the last reference goes, compared in constant time, never printed.
///
/// The bytes are lent, not handed out; what a borrower copies is the borrower's to wipe.
public final class SecretBytes: Sendable {
  private let storage: Storage

  /// Takes a copy of `bytes`.
  public convenience init(_ bytes: Bytes) {
    self.init(taking: Array(bytes))
  }

  /// Takes a copy of the UTF-8 bytes of `text`, a passphrase or a label.
  public convenience init(utf8 text: String) {
    self.init(taking: Array(text.utf8))
  }

  init(taking bytes: [UInt8]) {
    storage = Storage(bytes)
  }

  /// `count` bytes that `fill` writes in their final place.
  @safe convenience init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    self.init(taking: try [UInt8](count: count, filledBy: fill))
  }

  /// How many there are.
  public var count: Int { storage.bytes.count }

  /// Lends the bytes until `body` returns. They must not be kept: a slice that outlives the call keeps them from being
  /// wiped.
  public func withBytes<Result, Failure: Error>(
    _ body: (Bytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(storage.bytes[...])
  }

  /// A copy that nobody wipes, for what has to leave as ordinary bytes.
  public var exposedBytes: [UInt8] { withBytes { (bytes) in bytes.map { (byte) in byte } } }

  /// The array, so that it is wiped where it lies: nobody else refers to it.
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
  /// Compares in a time that depends on the lengths alone.
  public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    // A vault compares thousands of secrets with themselves.
    left === right || left.withBytes { (left) in right.withBytes { (right) in constantTimeEquals(left, right) } }
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  /// How many bytes there are, and not which.
  public var description: String { "\(count) secret bytes" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Whether two byte strings are equal, found out in a time that depends on their lengths alone.
///
/// For secrets and for what is derived from them: PIN hashes, authentication tags, tokens.
public func constantTimeEquals(_ left: Bytes, _ right: Bytes) -> Bool {
  left.equalsInConstantTime(right)
}
