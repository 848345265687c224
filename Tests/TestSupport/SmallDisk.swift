// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file system of a few megabytes.
public final class SmallDisk {
  /// Where it is.
  public let path: String
  private let ballast: String

  /// It could not be made.
  public struct Unmountable: Error {}

  /// Makes one in a folder, with a megabyte of ballast.
  public init(_ folder: String) throws {
    path = folder + "/disk"
    ballast = path + "/ballast"
    guard unsafe mkdir(path, 0o700) == 0, unsafe mount("none", path, "tmpfs", 0, "size=4m") == 0 else {
      unsafe rmdir(path)
      throw Unmountable()
    }
    try File.write([UInt8](repeating: 1, count: 1 << 20), to: ballast)
  }

  /// Takes the ballast away.
  public func makeRoom() {
    unsafe unlink(ballast)
  }

  deinit {
    unsafe umount2(path, Int32(MNT_DETACH))
    unsafe rmdir(path)
  }

  /// Whether this user may mount, tried once.
  public static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? SmallDisk(folder.path)) != nil
  }()
}
