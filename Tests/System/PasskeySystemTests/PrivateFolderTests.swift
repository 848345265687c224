// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeySystem
import PasskeyTestSupport
import Testing

@Suite struct PrivateFolderTests {
  private let place = TemporaryFolder()

  private var path: String { place("one") }

  private func created(_ path: String) throws -> PrivateFolder { try PrivateFolder(creating: path, limit: 1000) }

  private func clear() {
    _ = try? Shell.run("rm -rf one outside", in: place.path)
  }

  @Test func `writes, reads, replaces and deletes a file that only this user can access`() throws {
    defer { clear() }
    let folder = try created(path + "/two")
    #expect(try folder.read("a") == nil)
    try folder.write([1], to: "a")
    try folder.write([2], to: "a")
    #expect(try folder.read("a") == [2])
    #expect(try folder.names() == ["a"])
    #expect(try Shell.run("stat -c %a one one/two one/two/a", in: place.path) == "700\n700\n600\n")
    try folder.delete("a")
    try folder.delete("a")
    #expect(try folder.names() == [])
  }

  @Test func `a folder that other users can access is refused`() throws {
    defer { clear() }
    _ = try created(path)
    unsafe chmod(path, 0o750)
    #expect(throws: PrivateFolderError.folderNotPrivate(path)) { try PrivateFolder(at: path, limit: 1000) }
  }

  @Test func `a missing folder is nil, and one that cannot be created is an error`() throws {
    #expect(try PrivateFolder(at: path, limit: 1000) == nil)
    // This file system does not allow new folders.
    let path = "/dev/pts/one/two"
    #expect(throws: PrivateFolderError.failed(.createFolder, path, SystemError(number: EPERM))) { try created(path) }
  }

  @Test func `a folder that can be created is writable, and is not created`() throws {
    defer { clear() }
    try PrivateFolder.requireWritable(path + "/two")
    #expect(try PrivateFolder(at: path, limit: 1000) == nil)
    _ = try created(path)
    try PrivateFolder.requireWritable(path)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `a folder on a read-only disk is not writable`() throws {
    let disk = try SmallDisk(place.path)
    let (path, readOnly) = (disk.path + "/one", SystemError(number: EROFS))
    _ = try created(path)
    #expect(try Shell.run("mount -o remount,ro disk", in: place.path) == "")
    #expect(throws: PrivateFolderError.failed(.write, path, readOnly)) { try PrivateFolder.requireWritable(path) }
    #expect(throws: PrivateFolderError.failed(.createFolder, path + "/two/three", readOnly)) {
      try PrivateFolder.requireWritable(path + "/two/three")
    }
    withExtendedLifetime(disk) {}
  }

  @Test func `a file above the limit, and one that others can read, is refused`() throws {
    defer { clear() }
    let folder = try created(path)
    try folder.write([UInt8](repeating: 0, count: 1000), to: "a")
    #expect(try folder.read("a")?.count == 1000)
    try folder.write([UInt8](repeating: 0, count: 1001), to: "a")
    #expect(throws: PrivateFolderError.fileTooLarge(path + "/a")) { try folder.read("a") }
    unsafe chmod(path + "/a", 0o640)
    #expect(throws: PrivateFolderError.fileNotPrivate(path + "/a")) { try folder.read("a") }
  }

  @Test func `the latest file comes first, and drafts of ended processes are deleted`() throws {
    defer { clear() }
    let folder = try created(path)
    for name in ["b", "a", "c"] {
      try folder.write([1], to: name)
      usleep(20_000)
    }
    // No process has this identifier: it is above the system's limit.
    try File.write([1], to: path + "/.4194305.dead")
    try File.write([1], to: path + "/.\(getpid()).mine")
    #expect(try folder.namesByAge() == ["c", "a", "b"])
    try folder.deleteAbandonedDrafts()
    #expect(try File.names(in: path, withHidden: true) == [".\(getpid()).mine", "a", "b", "c"])
  }

  @Test func `a symbolic link is not followed`() throws {
    defer { clear() }
    let folder = try created(path)
    try File.write([9], to: place("outside"))
    _ = try Shell.run("chmod 600 outside; ln -s ../outside one/a", in: place.path)
    #expect(throws: PrivateFolderError.failed(.read, path + "/a", .symbolicLink)) { try folder.read("a") }
    try folder.write([1], to: "a")
    #expect(try folder.read("a") == [1])
    #expect(try File.bytes(place("outside")) == [9])
  }

  @Test func `an open folder stays the same when its path is replaced`() throws {
    defer { clear() }
    let folder = try created(path + "/two")
    _ = try Shell.run("mv one/two one/three && mkdir one/elsewhere && ln -s elsewhere one/two", in: place.path)
    try folder.write([1], to: "a")
    #expect(try Shell.run("ls one/elsewhere one/three", in: place.path) == "one/elsewhere:\n\none/three:\na\n")
  }

  @Test func `concurrent writes leave one complete file`() async throws {
    defer { clear() }
    let path = path
    _ = try created(path)
    await withTaskGroup(of: Void.self) { (group) in
      for byte in UInt8(0)..<8 {
        group.addTask {
          for _ in 0..<20 {
            try? PrivateFolder(at: path, limit: 1000)?.write([UInt8](repeating: byte, count: 500), to: "a")
          }
        }
      }
    }
    let bytes = try #require(try PrivateFolder(at: path, limit: 1000)?.read("a"))
    #expect(bytes.count == 500)
    #expect(Set(bytes).count == 1)
    #expect(try File.names(in: path, withHidden: true) == ["a"])
  }

  @Test func `a failed write leaves the folder unchanged`() throws {
    defer { clear() }
    let folder = try created(path)
    unsafe mkdir(path + "/a", 0o700)
    #expect(throws: PrivateFolderError.failed(.write, path + "/a", SystemError(number: EISDIR))) {
      try folder.write([1], to: "a")
    }
    #expect(try File.names(in: path, withHidden: true) == ["a"])
  }
}
