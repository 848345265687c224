// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What a vault's file is known by: as long as it has the same mark, nobody has written to it.
///
/// Every write of ours has a header of its own. The rest tells of a write that was not ours and left the header as it was,
/// so that a file that was spoilt meanwhile is found out, and not overwritten.
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
