// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The fingerprint of a vault file: while it is unchanged, the file has not been written.
///
/// Compaction changes the header, and appending changes the size. The other fields detect a write by another program,
/// so that a corrupt file is detected and not overwritten.
struct VaultMark: Equatable {
  let header: [UInt8]
  private let inode: UInt64
  private let byteCount: Int64
  private let modified: [Int]
  private let changed: [Int]

  init(header: [UInt8], _ status: stat) {
    self.header = header
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}
