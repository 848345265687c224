// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file system of a few megabytes.
public final class SmallDisk {
  /// Its mount point.
  public let path: String
  private let ballast: String

  /// The file system could not be mounted.
  public struct Unmountable: Error {}

  /// Mounts a file system in a folder, with ballast of half its size.
  public init(_ folder: String) throws {
    path = folder + "/disk"
    ballast = path + "/ballast"
    guard unsafe mkdir(path, 0o700) == 0, unsafe mount("none", path, "tmpfs", 0, "size=6m") == 0 else {
      unsafe rmdir(path)
      throw Unmountable()
    }
    try File.write([UInt8](repeating: 1, count: 3 << 20), to: ballast)
  }

  /// Deletes the ballast.
  public func makeRoom() {
    unsafe unlink(ballast)
  }

  deinit {
    unsafe umount2(path, Int32(MNT_DETACH))
    unsafe rmdir(path)
  }

  /// Whether this user may mount file systems; tested once.
  public static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? SmallDisk(folder.path)) != nil
  }()
}
