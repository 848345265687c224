// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Replaces a file atomically: after a failure or a crash, the file has either its old content or the new one.
///
/// If only the last step of a durable replacement fails, fsync of the folder, the error is thrown although the file has its
/// new content: a crash of the machine may still bring the old one back.
package enum FileReplacement {
  /// The content that survives a crash of the machine after the replacement has returned.
  package enum Durability: Sendable {
    /// The old content or the new one.
    case atomic
    /// The new content.
    case durable
  }

  /// Writes the bytes to a draft file, then renames the draft to `path`.
  ///
  /// `draft` is a path in the same folder; a file of that name is deleted first. The new file gets the access rights `mode`,
  /// less those of the process's umask. Relative paths start from `folder`, or from the working folder if it is nil.
  package static func replace(
    _ path: String, with bytes: [UInt8], draft: String, mode: UInt32 = 0o600, in folder: OpenFile? = nil,
    durability: Durability
  ) throws(SystemError) {
    let start = folder?.descriptor.number ?? AT_FDCWD
    // Opened before the rename, so that a folder that cannot be opened leaves the old file in place.
    let parent: OpenFile? =
      durability == .durable ? try OpenFile(parentFolder(of: path), [.reading, .folder], in: folder) : nil
    unsafe unlinkat(start, draft, 0)
    let file = try OpenFile(draft, [.writing, .creatingNew, .notFollowingLinks], mode: mode, in: folder)
    do throws(SystemError) {
      try file.write(bytes)
      if durability == .durable { try file.synchronize() }
      _ = try SystemError.check { unsafe renameat(start, draft, start, path) }
    } catch {
      unsafe unlinkat(start, draft, 0)
      throw error
    }
    do throws(SystemError) {
      try parent?.synchronize()
    } catch {
      // Some file systems cannot synchronize a folder (fsync(2)).
      guard error == .invalid || error == .notSupported else { throw error }
    }
  }

  /// The folder part of a path: "." if the path has none.
  package static func parentFolder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Operations on folders.
package enum Folder {
  /// Creates a folder and those above it that are missing. If the folder does not exist afterwards, throws the first error.
  package static func create(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    var made = ""
    var refusal: SystemError?
    for part in path.split(separator: "/") {
      made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      do throws(SystemError) {
        _ = try SystemError.check { unsafe mkdir(made, mode) }
      } catch {
        // An existing parent may be on a file system without write access, which is another error than "it exists".
        if refusal == nil, error != .alreadyExists { refusal = error }
      }
    }
    guard let refusal else { return }
    guard let status = try? FileStatus(ofFileAt: path), status.kind == .folder else { throw refusal }
  }

  /// Returns the absolute path of a folder without symbolic links, or nil if there is no such folder.
  package static func absolutePath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Deletes a file, if it exists.
  package static func deleteFile(_ path: String, in folder: OpenFile? = nil) throws(SystemError) {
    do throws(SystemError) {
      _ = try SystemError.check { unsafe unlinkat(folder?.descriptor.number ?? AT_FDCWD, path, 0) }
    } catch  where error == .noSuchFile {
    }
  }

  /// Deletes a folder if it exists and is empty.
  ///
  /// - Returns: Whether it was deleted.
  package static func deleteIfEmpty(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try SystemError.check { unsafe unlinkat(AT_FDCWD, path, AT_REMOVEDIR) }
      return true
    } catch  where error == .noSuchFile || error == .notEmpty {
      return false
    }
  }
}
