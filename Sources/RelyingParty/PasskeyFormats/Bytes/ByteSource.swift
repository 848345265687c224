// SPDX-License-Identifier: Apache-2.0

/// Bytes as a function takes them: an array or a slice without a copy, or text in UTF-8.
@usableFromInline package protocol ByteSource: Collection<UInt8> {
  /// The bytes. Those of a slice keep their indices.
  var slice: Bytes { get }
}

extension [UInt8]: ByteSource {
  @inlinable package var slice: Bytes { self[...] }
}

extension Bytes: ByteSource {
  @inlinable package var slice: Bytes { self }
}

extension String.UTF8View: ByteSource {
  @inlinable package var slice: Bytes { Bytes(self) }
}

extension Substring.UTF8View: ByteSource {
  @inlinable package var slice: Bytes { Bytes(self) }
}

extension CollectionOfOne<UInt8>: ByteSource {
  @inlinable package var slice: Bytes { Bytes(self) }
}
