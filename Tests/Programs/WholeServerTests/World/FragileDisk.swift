// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

/// An ext4 file system in a file, which the kernel can be told to make read-only, as after an error of the disk.
final class FragileDisk {
  /// Its mount point.
  let path: String
  private let folder: String

  /// The file system could not be mounted.
  struct Unmountable: Error {}

  init(_ folder: String) throws {
    self.folder = folder
    path = folder + "/fragile"
    let printed = try Shell.run(
      """
      mkdir fragile && truncate -s 16M image && mkfs.ext4 -q -F image && mount -o loop,errors=remount-ro image fragile && \
      test -w /sys/fs/ext4/$(basename $(findmnt -no SOURCE fragile))/trigger_fs_error
      """, in: folder)
    guard printed.isEmpty else {
      _ = try? Shell.run("umount --lazy fragile", in: folder)
      throw Unmountable()
    }
  }

  /// Reports an error to the file system, which becomes read-only under all open files.
  func fail() throws {
    _ = try Shell.run(
      "echo broken >/sys/fs/ext4/$(basename $(findmnt -no SOURCE fragile))/trigger_fs_error", in: folder)
  }

  deinit {
    _ = try? Shell.run("umount --lazy fragile", in: folder)
  }

  /// Whether this user may mount such file systems; tested once.
  static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? FragileDisk(folder.path)) != nil
  }()
}
