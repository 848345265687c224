// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Overwrites memory that held a secret. The compiler cannot remove the call: it is never inlined, and the fence makes its
/// effect more than a write to memory that is released next.
@inline(never)
private func overwrite(_ bytes: inout MutableRawSpan) {
  for offset in bytes.byteOffsets { bytes.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
  atomicMemoryFence(ordering: .sequentiallyConsistent)
}

extension Array where Element: BitwiseCopyable {
  /// Overwrites the elements in place. The array must be the only reference to its storage.
  mutating func wipe() {
    var span = mutableSpan
    var bytes = unsafe span.mutableBytes
    overwrite(&bytes)
  }
}

extension InlineArray where Element: BitwiseCopyable {
  /// Overwrites the elements in place.
  mutating func wipe() {
    var span = mutableSpan
    var bytes = unsafe span.mutableBytes
    overwrite(&bytes)
  }
}
