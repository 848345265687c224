// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import CommandLineTool

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
}
