// SPDX-License-Identifier: Apache-2.0

import CommandLineTool
import Glibc
import TestSupport
import Testing

@testable import passkey

@Suite struct PrivateFolderTests {
  private let place: TemporaryFolder
  private let path: String

  init() throws {
    place = try TemporaryFolder()
    path = place.path + "/one"
  }

  private func clear() {
    _ = try? Shell.run("rm -rf one", in: place.path)
  }

  @Test func `a private file is written, read, replaced and deleted`() throws {
    defer { clear() }
    let folder = try PrivateFolder(making: path + "/two")
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

  @Test func `a folder that others can reach is refused`() throws {
    defer { clear() }
    _ = try PrivateFolder(making: path)
    unsafe chmod(path, 0o750)
    #expect(throws: CommandFailure.self) { try PrivateFolder(at: path) }
  }

  @Test func `a folder that cannot be created is reported with its path`() {
    // This file system does not allow new folders.
    #expect(
      throws: CommandFailure.inputOutput(#"cannot create the folder "/dev/pts/one": operation not permitted"#)
    ) { try PrivateFolder(making: "/dev/pts/one/two") }
  }

  @Test func `links are not followed, for reading or writing`() throws {
    defer { clear() }
    let folder = try PrivateFolder(making: path)
    try File.write([9], to: place.path + "/outside")
    _ = try Shell.run("chmod 600 outside; ln -s ../outside one/a", in: place.path)
    #expect(throws: CommandFailure.self) { try folder.read("a") }
    try folder.write([1], to: "a")
    #expect(try folder.read("a") == [1])
    #expect(try File.bytes(place.path + "/outside") == [9])
  }

  @Test func `an open folder stays the same, even if its path is replaced`() throws {
    defer { clear() }
    let folder = try PrivateFolder(making: path + "/two")
    _ = try Shell.run("mv one/two one/three && mkdir one/elsewhere && ln -s elsewhere one/two", in: place.path)
    try folder.write([1], to: "a")
    #expect(try Shell.run("ls one/elsewhere one/three", in: place.path) == "one/elsewhere:\n\none/three:\na\n")
  }

  @Test func `two concurrent writers leave one complete file`() async throws {
    defer { clear() }
    let path = path
    _ = try PrivateFolder(making: path)
    await withTaskGroup(of: Void.self) { (group) in
      for byte in UInt8(0)..<8 {
        group.addTask {
          for _ in 0..<20 {
            try? PrivateFolder(at: path)?.write([UInt8](repeating: byte, count: 500), to: "a")
          }
        }
      }
    }
    let bytes = try #require(try PrivateFolder(at: path)?.read("a"))
    #expect(bytes.count == 500)
    #expect(Set(bytes).count == 1)
    #expect(try File.names(in: path, withHidden: true) == ["a"])
  }

  @Test func `a failed write leaves the old file`() throws {
    defer { clear() }
    let folder = try PrivateFolder(making: path)
    unsafe mkdir(path + "/a", 0o700)
    #expect(throws: CommandFailure.self) { try folder.write([1], to: "a") }
    #expect(try File.names(in: path, withHidden: true) == ["a"])
  }
}
