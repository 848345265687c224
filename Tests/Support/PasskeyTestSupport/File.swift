// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads whole files.
public enum File {
  /// A file could not be read.
  public struct Unreadable: Error {
    /// Its path.
    public let path: String
  }

  /// Returns the content of the file at `path`.
  public static func bytes(_ path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unreadable(path: path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw Unreadable(path: path) }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
    }
  }

  /// A file could not be written.
  public struct Unwritable: Error {
    /// Its path.
    public let path: String
  }

  /// Writes a file, replacing an existing one. Other users can read it, unless it is new and private.
  public static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    guard descriptor >= 0 else { throw Unwritable(path: path) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Unwritable(path: path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the sorted names in the folder at `path`, without hidden ones by default.
  public static func names(in path: String, withHidden: Bool = false) throws -> [String] {
    guard let folder = unsafe opendir(path) else { throw Unreadable(path: path) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { (bytes) in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", withHidden || !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

/// The test data beside the checkout, in `../shared/vectors`, which is never copied into it.
///
/// A test that needs it has the trait `.enabled(if: SharedVectors.arePresent, SharedVectors.absence)`.
public enum SharedVectors {
  /// The reason for skipping a test.
  public static let absence = "../shared/vectors is not there"

  /// Whether the folder exists.
  public static let arePresent = (try? bytes("README.md")) != nil

  /// Returns the content of one of its files.
  public static func bytes(_ path: String) throws -> [UInt8] {
    try File.bytes("\(folder)/\(path)")
  }

  private static let folder = "\(projectFolder)/../shared/vectors"
}

/// The folder that holds `Package.swift`.
public let projectFolder = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  .dropLast(4).joined(separator: "/")

/// A temporary folder for one test. Releasing it deletes the folder and its content.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// The folder could not be created.
  public struct Unmakeable: Error {}

  /// Creates a folder in the system's temporary folder, or in another one.
  public init(in parent: String = "/tmp") throws {
    var template = [CChar]("\(parent)/passkey-test.XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { (template) -> String? in
      guard let start = template.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: name)
    }
    guard let made else { throw Unmakeable() }
    path = made
  }

  deinit { Self.delete(path) }

  private static func delete(_ path: String) {
    // A link to a folder is deleted, not followed.
    guard unsafe unlink(path) != 0, errno == EISDIR else { return }
    for name in (try? File.names(in: path, withHidden: true)) ?? [] { delete("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}
