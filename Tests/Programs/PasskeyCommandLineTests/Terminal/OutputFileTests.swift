// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import PasskeyCommandLine

@Suite struct OutputFileTests {
  private let folder: String

  init() throws {
    var template = [CChar]("/tmp/passkey-tests-XXXXXX".utf8CString)
    _ = unsafe mkdtemp(&template)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func names() throws -> String { try Shell.run("ls -A '\(folder)'; rm -rf '\(folder)'", in: "/") }

  @Test func `a file is written and rewritten`() throws {
    try OutputFile.write([1, 2, 3], to: "\(folder)/a")
    #expect(try File.bytes("\(folder)/a") == [1, 2, 3])
    try OutputFile.write([4], to: "\(folder)/a")
    #expect(try File.bytes("\(folder)/a") == [4])
    #expect(try names() == "a\n")
  }

  @Test func `a failed write leaves nothing behind`() throws {
    #expect(
      throws: CommandFailure.inputOutput("cannot write \"\(folder)/no/a\": no such file or directory")
    ) {
      try OutputFile.write([1], to: "\(folder)/no/a")
    }
    #expect(try names() == "")
  }

  @Test func `a special file is not replaced`() throws {
    #expect(throws: CommandFailure.inputOutput("cannot write \"\(folder)\": is a directory")) {
      try OutputFile.write([1], to: folder)
    }
    #expect(throws: CommandFailure.inputOutput(#"cannot write "/dev/full": no space left on device"#)) {
      try OutputFile.write([1], to: "/dev/full")
    }
    #expect(try names() == "")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
  func `a secret is not written into another user's pipe`() throws {
    let pipe = "\(folder)/pipe"
    #expect(unsafe mkfifo(pipe, 0o666) == 0)
    // With a reader, so that opening does not wait.
    let reader = try OpenFile(pipe, [.reading, .notBlocking])
    try OutputFile.write([1], to: pipe, isSecret: true)
    #expect(try reader.descriptor.read(upTo: 10) == [1])
    #expect(unsafe chown(pipe, 1, 1) == 0)
    #expect(throws: CommandFailure.inputOutput("cannot write \"\(pipe)\": operation not permitted")) {
      try OutputFile.write([1], to: pipe, isSecret: true)
    }
    try OutputFile.write([2], to: pipe)
    #expect(try reader.descriptor.read(upTo: 10) == [2])
  }
}
