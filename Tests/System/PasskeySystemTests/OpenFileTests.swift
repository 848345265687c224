// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import PasskeySystem

struct OpenFileTests {
  private let folder = TemporaryFolder()

  private func write(_ text: String, to name: String) throws {
    try OpenFile(folder(name), [.writing, .creating]).write([UInt8](text.utf8))
  }

  private func read(_ name: String, limit: Int = 100) throws -> String? {
    try OpenFile(folder(name), .reading).readToEnd(limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `reads what was written`() throws {
    try write("abc", to: "a")
    #expect(try read("a") == "abc")
  }

  @Test func `a file of the maximum size is read, and a larger one is refused`() throws {
    try write("abc", to: "a")
    #expect(try read("a", limit: 3) == "abc")
    #expect(try read("a", limit: 2) == nil)
  }

  @Test func `reads a file larger than one chunk`() throws {
    let text = String(repeating: "0123456789abcdef", count: 10_000)
    try write(text, to: "a")
    #expect(try read("a", limit: 1 << 20) == text)
  }

  @Test func `only the user can access a new file`() throws {
    try write("abc", to: "a")
    let status = try FileStatus(ofFileAt: folder("a"))
    #expect(status.permissions == 0o600)
    #expect(status.isPrivate)
    #expect(status.kind == .regular)
    #expect(status.byteCount == 3)
  }

  @Test func `a missing file and an existing target are errors`() throws {
    #expect(throws: SystemError.noSuchFile) { try OpenFile(folder("a"), .reading) }
    try write("abc", to: "a")
    #expect(throws: SystemError.alreadyExists) { try OpenFile(folder("a"), [.writing, .creatingNew]) }
  }

  @Test func `a symbolic link is refused on request`() throws {
    try write("abc", to: "a")
    let isLinked = unsafe symlink("a", folder("b")) == 0
    #expect(isLinked)
    #expect(throws: SystemError.symbolicLink) { try OpenFile(folder("b"), [.reading, .notFollowingLinks]) }
    #expect(try read("b") == "abc")
  }

  @Test func `a FIFO is opened without waiting on request`() throws {
    let isMade = unsafe mkfifo(folder("fifo"), 0o600) == 0
    #expect(isMade)
    let file = try OpenFile(folder("fifo"), [.reading, .notBlocking])
    #expect(try file.status.kind == .pipe)
  }

  @Test func `reads the end of a file`() throws {
    let file = try OpenFile(folder("a"), [.readingAndWriting, .creating, .appending])
    try file.write([1, 2, 3])
    #expect(try file.readTail(limit: 2) == [2, 3])
    #expect(try file.readTail(limit: 4) == [1, 2, 3])
    try file.write([4])
    #expect(try file.readTail(limit: 2) == [3, 4])
  }

  @Test func `writes at an offset, and truncates`() throws {
    let file = try OpenFile(folder("a"), [.readingAndWriting, .creating])
    try file.write([UInt8]("abcdef".utf8))
    try file.write([UInt8]("XY".utf8), at: 2)
    try file.truncate(to: 5)
    #expect(try read("a") == "abXYe")
  }

  @Test func `the lock keeps another open file out until it is released`() async throws {
    let first = try OpenFile(folder("lock"), [.readingAndWriting, .creating])
    let second = try OpenFile(folder("lock"), .readingAndWriting)
    try first.lock()
    let isFree = flock(second.descriptor.number, LOCK_EX | LOCK_NB) == 0
    #expect(!isFree)
    first.unlock()
    try second.lock()
  }

  @Test func `a wait for the lock ends at its deadline`() throws {
    let first = try OpenFile(folder("lock"), [.readingAndWriting, .creating])
    let second = try OpenFile(folder("lock"), .readingAndWriting)
    try first.lock()
    #expect(try !second.lockIfFree())
    #expect(try !second.lock(until: .now + .milliseconds(20)))
    first.unlock()
  }

  @Test func `a wait for the lock ends when the lock is released`() async throws {
    let first = try OpenFile(folder("lock"), [.readingAndWriting, .creating])
    let second = try OpenFile(folder("lock"), .readingAndWriting)
    try first.lock()
    async let isLocked = SystemThread.run { (try? second.lock(until: .now + .seconds(600))) == true }
    first.unlock()
    #expect(await isLocked == true)
    let isFree = flock(first.descriptor.number, LOCK_EX | LOCK_NB) == 0
    #expect(!isFree)
  }

  @Test func `an unwritable file reports how much was written`() {
    var written = 0
    // Every write to it fails with ENOSPC.
    let full = try? OpenFile("/dev/full", .writing)
    #expect(throws: SystemError(number: ENOSPC)) { try full?.write([1, 2, 3], counting: &written) }
    #expect(written == 0)
    #expect(SystemError(number: ENOSPC).isOutOfSpace)
  }
}

struct FileReplacementTests {
  private let folder = TemporaryFolder()

  private func text(_ name: String) -> String? {
    (try? OpenFile(folder(name), .reading).readToEnd(limit: 100)).flatMap { $0 }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [FileReplacement.Durability.atomic, .durable])
  func `the file has the new content and no draft remains`(durability: FileReplacement.Durability) throws {
    for content in ["old", "new"] {
      try FileReplacement.replace(
        folder("a"), with: [UInt8](content.utf8), draft: folder("a.new"), durability: durability)
      #expect(text("a") == content)
    }
    #expect(text("a.new") == nil)
  }

  @Test func `an abandoned draft is replaced`() throws {
    try FileReplacement.replace(folder("a.new"), with: [1], draft: folder("x"), durability: .atomic)
    try FileReplacement.replace(folder("a"), with: [65], draft: folder("a.new"), durability: .atomic)
    #expect(text("a") == "A")
  }

  @Test func `a failure keeps the old content and deletes the draft`() throws {
    _ = try SystemError.check { unsafe mkdir(folder("a"), 0o700) }
    defer { unsafe rmdir(folder("a")) }
    // A file cannot take the place of a folder.
    #expect(throws: SystemError(number: EISDIR)) {
      try FileReplacement.replace(folder("a"), with: [65], draft: folder("a.new"), durability: .durable)
    }
    #expect(text("a.new") == nil)
  }

  @Test(arguments: [
    (10_413_792_000, Int64.max), (-10_413_792_000, .min), (Int.max, .max), (Int.min, .min),
    (9_223_372_036, 9_223_372_036_000_000_007),
    (-1, -999_999_993),
  ])
  func `a file can have any date`(seconds: Int, nanoseconds: Int64) {
    var status = stat()
    status.st_mtim = timespec(tv_sec: seconds, tv_nsec: 7)
    status.st_ctim = status.st_mtim
    #expect(FileStatus(status).modified == nanoseconds && FileStatus(status).changed == nanoseconds)
  }

  @Test func `paths start in the given folder`() throws {
    let open = try OpenFile(folder.path, [.reading, .folder])
    try FileReplacement.replace("a", with: [65], draft: "a.new", in: open, durability: .durable)
    #expect(text("a") == "A")
    try Folder.deleteFile("a", in: open)
    #expect(text("a") == nil)
    try Folder.deleteFile("a", in: open)
  }

  @Test(arguments: [("a/b/c", "a/b"), ("/a", "/"), ("a", "."), ("/a/b", "/a")])
  func `parent folder of a path`(path: String, parent: String) {
    #expect(FileReplacement.parentFolder(of: path) == parent)
  }

  @Test func `missing folders are created`() throws {
    try Folder.create(folder("x/y"))
    try Folder.create(folder("x/y"))
    #expect(try FileStatus(ofFileAt: folder("x/y")).permissions == 0o700)
    unsafe rmdir(folder("x/y"))
    unsafe rmdir(folder("x"))
  }

  @Test func `the absolute path of a folder has no links`() throws {
    let isLinked = unsafe symlink(folder.path, folder("link")) == 0
    #expect(isLinked)
    #expect(Folder.absolutePath(folder("link/.")) == Folder.absolutePath(folder.path))
    #expect(Folder.absolutePath(folder("missing")) == nil)
  }

  @Test func `a file in the place of a folder is an error`() throws {
    try FileReplacement.replace(folder("a"), with: [1], draft: folder("a.new"), durability: .atomic)
    #expect(throws: SystemError.self) { try Folder.create(folder("a/b")) }
  }
}
