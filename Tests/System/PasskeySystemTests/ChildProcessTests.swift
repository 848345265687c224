// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeySystem
import Testing

struct ChildProcessTests {
  private func start(_ script: String, output: FileDescriptor? = nil) throws -> ChildProcess {
    try ChildProcess(["/bin/sh", "-c", script], streams: [nil, output])
  }

  @Test(arguments: [("exit 3", ChildProcess.End.exited(code: 3)), ("kill -9 $$", .signaled(SIGKILL))])
  func `reports how the process ended`(script: String, end: ChildProcess.End) throws {
    #expect(try start(script).end(within: .seconds(600)) == end)
  }

  @Test func `terminates a process that does not end`() throws {
    #expect(try start("exec sleep 1200").end(within: .milliseconds(20)) == .signaled(SIGTERM))
  }

  @Test func `kills a process that ignores SIGTERM`() throws {
    let (reading, writing) = try UnixSocket.pair()
    defer { reading.close() }
    let process = try start("trap '' TERM; echo; while :; do sleep 0.1; done", output: writing)
    writing.close()
    // The line says that the process ignores the signal now.
    #expect(try reading.read(upTo: 1) == Array("\n".utf8))
    #expect(process.end(within: .milliseconds(20)) == .signaled(SIGKILL))
  }

  @Test func `a wait ends at its deadline`() throws {
    let process = try start("exec sleep 1200")
    #expect(process.waitForEnd(until: .now + .milliseconds(20)) == nil)
    #expect(process.end(within: .zero) == .signaled(SIGTERM))
  }

  @Test func `the process has its own output, environment and session`() throws {
    let (reading, writing) = try UnixSocket.pair()
    defer { reading.close() }
    let process = try ChildProcess(
      ["sh", "-c", "echo $NAME; cut -d ' ' -f 6 /proc/$$/stat"], environment: ["NAME=value", "PATH=/bin:/usr/bin"],
      streams: [nil, writing], isInNewSession: true)
    writing.close()
    let output = try #require(try reading.readToEnd(limit: 100))
    #expect(String(decoding: output, as: UTF8.self) == "value\n\(process.identifier)\n")
    #expect(process.end(within: .seconds(600)) == .exited(code: 0))
  }

  @Test func `a killed session leaves no process behind`() throws {
    let pipe = try Pipe()
    defer { pipe.reading.close() }
    // The shell waits for a process of its own, which keeps the pipe open.
    let process = try ChildProcess(
      ["/bin/sh", "-c", "sleep 1200; true"], streams: [nil, pipe.writing], isInNewSession: true)
    pipe.writing.close()
    process.killSession()
    #expect(process.end(within: .zero) == .signaled(SIGKILL))
    #expect(try pipe.reading.readToEnd(limit: 1) == [])
  }

  @Test func `a full pipe without blocking refuses further bytes`() throws {
    let pipe = try Pipe()
    defer { for end in [pipe.reading, pipe.writing] { end.close() } }
    try pipe.writing.disableBlocking()
    var written = 0
    #expect(throws: SystemError.wouldBlock) {
      try pipe.writing.write([UInt8](repeating: 7, count: 1 << 20), counting: &written)
    }
    #expect(written > 0 && written < 1 << 20)
    #expect(try pipe.reading.read(upTo: written).count > 0)
    #expect(pipe.writing.wait(for: .writing, until: .now))
  }

  @Test func `a program that does not exist is an error`() {
    #expect(throws: SystemError.noSuchFile) { try ChildProcess(["/nowhere/at/all"], streams: []) }
    #expect(throws: SystemError.noSuchFile) { try ChildProcess([], streams: []) }
  }
}
