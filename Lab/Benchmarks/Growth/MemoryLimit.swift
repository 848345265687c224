// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// A control group that limits the memory of processes, with the pages of files that they read. Needs root.
final class MemoryLimit {
  /// The kernel has no such control group, or the user may not create one.
  struct Unavailable: Error {}

  private let path: String

  /// Creates a group.
  init(mebibytes: Int) throws {
    let name = "passkey-benchmark-\(getpid())"
    // Version 1, then version 2.
    let kinds = [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]
    let existing = kinds.first { (folder, _) in
      unsafe mkdir("\(folder)/\(name)", 0o755) == 0
    }
    guard let (folder, limit) = existing else { throw Unavailable() }
    path = "\(folder)/\(name)"
    do {
      try File.write([UInt8]("\(mebibytes << 20)".utf8), to: "\(path)/\(limit)")
    } catch {
      unsafe rmdir(path)
      throw Unavailable()
    }
  }

  /// The group must have no processes any more.
  deinit { unsafe rmdir(path) }

  /// Moves processes, and those that they start, into the group.
  func add(_ processes: [pid_t]) throws {
    for process in processes { try File.write([UInt8]("\(process)".utf8), to: "\(path)/cgroup.procs") }
  }

  /// Removes the pages of the files in a folder from memory, so that the group has to read them.
  static func forgetFiles(in folder: String) throws {
    sync()
    try ShellCommand.output(
      "find \(ShellCommand.quoted(folder)) -type f -size +1M -exec dd if={} iflag=nocache count=0 status=none \\;")
  }
}
