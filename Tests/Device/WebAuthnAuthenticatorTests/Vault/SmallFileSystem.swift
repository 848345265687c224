// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport

/// A small file system in memory, unmounted on release. Mounting requires root.
final class SmallFileSystem: Sendable {
  private let folder: TemporaryFolder

  /// The mount point.
  var path: String { folder.path }

  /// The file system could not be mounted; contains the system's reason.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  init(byteCount: Int) throws {
    folder = try TemporaryFolder()
    guard unsafe mount("tmpfs", folder.path, "tmpfs", UInt(MS_NOSUID | MS_NODEV), "size=\(byteCount)") == 0 else {
      throw Refused(description: unsafe String(cString: strerror(errno)))
    }
  }

  deinit {
    unsafe umount2(folder.path, Int32(MNT_DETACH))
  }

  /// The reason why mounting is impossible here, or nil.
  static let refusal: String? = {
    do {
      _ = try SmallFileSystem(byteCount: 1 << 16)
      return nil
    } catch {
      return "\(error)"
    }
  }()

  /// The reason for skipping tests.
  static var absence: String { "no small file system can be mounted: \(refusal ?? "it can")" }

  /// Fills the disk except for `rest` bytes.
  func fill(leaving rest: Int = 0) throws {
    let file = unsafe open(path + "/ballast", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw Refused(description: "no ballast") }
    defer { close(file) }
    let page = [UInt8](repeating: 1, count: 4096)
    var size = 0
    while true {
      let written = unsafe write(file, page, page.count)
      if written <= 0 { break }
      size += written
    }
    guard ftruncate(file, max(0, size - rest)) == 0 else { throw Refused(description: "ballast stays") }
  }

  /// Frees the space again.
  func makeRoom() {
    unsafe unlink(path + "/ballast")
  }
}
