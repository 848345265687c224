// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Memory that is neither swapped out nor included in a core file, between two pages that no code can access. It is
/// wiped when released. Not thread-safe.
@safe package final class LockedMemory {
  /// The accessible bytes, and all mapped bytes.
  private let bytes: UnsafeMutableRawBufferPointer
  private let mapping: UnsafeMutableRawBufferPointer

  /// Whether the system keeps the memory from being swapped out. Users may lock only a limited amount.
  package let isLocked: Bool

  /// Maps at least `byteCount` bytes, which are zero.
  package init(byteCount: Int) throws(SystemError) {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let count = (byteCount + page - 1) / page * page
    let start = unsafe mmap(nil, count + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw SystemError(number: errno) }
    unsafe mapping = unsafe UnsafeMutableRawBufferPointer(start: start, count: count + 2 * page)
    unsafe bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: mapping[page..<page + count])
    guard unsafe mprotect(bytes.baseAddress, count, PROT_READ | PROT_WRITE) == 0 else {
      let error = SystemError(number: errno)
      unsafe munmap(mapping.baseAddress, mapping.count)
      throw error
    }
    isLocked = unsafe mlock(bytes.baseAddress, count) == 0
    // The kernel knows this advice since Linux 3.4.
    unsafe madvise(bytes.baseAddress, count, MADV_DONTDUMP)
  }

  deinit {
    unsafe wipe(0..<bytes.count)
    unsafe munmap(mapping.baseAddress, mapping.count)
  }

  /// Copies `source` to an offset.
  package func store(_ source: some Collection<UInt8>, at offset: Int) {
    for (index, byte) in zip(offset..<offset + source.count, source) { unsafe bytes[index] = byte }
  }

  /// Returns a copy in ordinary memory.
  package func load(_ range: Range<Int>) -> [UInt8] {
    range.map { (index) in unsafe bytes[index] }
  }

  /// Overwrites bytes with zeros.
  package func wipe(_ range: Range<Int>) {
    guard let start = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range]).baseAddress else { return }
    unsafe explicit_bzero(start, range.count)
  }
}
