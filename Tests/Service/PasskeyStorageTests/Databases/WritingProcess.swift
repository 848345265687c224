// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeySystem
import PasskeyTestSupport

/// A program that writes to a database until it is killed, and reports acknowledged writes.
struct WritingProcess {
  struct Unstartable: Error {}

  /// Starts the program, kills it so many microseconds after its first acknowledgement, and returns all
  /// acknowledgements.
  static func acknowledgements(_ arguments: [String], killedAfter microseconds: Int) async throws -> [String] {
    try await waiting { try run(arguments, killedAfter: microseconds) }
  }

  private static func run(_ arguments: [String], killedAfter microseconds: Int) throws -> [String] {
    let (identifier, output) = try starting.withLock { (_) in try start(arguments) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var isToBeKilled = true
    while true {
      let count = unsafe read(output, &chunk, chunk.count)
      if count <= 0 { break }
      text += chunk.prefix(count)
      if isToBeKilled {
        isToBeKilled = false
        onOwnThread {
          usleep(UInt32(microseconds))
          kill(identifier, SIGKILL)
        }
      }
    }
    close(output)
    waitpid(identifier, nil, 0)
    // An incomplete last line does not count as an acknowledgement.
    return String(decoding: text.prefix(through: text.lastIndex(of: UInt8(ascii: "\n")) ?? -1), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// Starts one program at a time: a pipe end that another child inherits would stay open after this process closes it.
  private static let starting = Locked(0)

  private static func start(_ arguments: [String]) throws -> (identifier: pid_t, output: Int32) {
    var fromProgram: [Int32] = [-1, -1]
    guard unsafe pipe(&fromProgram) == 0 else { throw Unstartable() }
    for descriptor in fromProgram { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer { close(fromProgram[1]) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, fromProgram[1], STDOUT_FILENO)
    let path = "\(builtProgramsFolder)/PasskeyStorageWriter"
    var argv = unsafe ([path] + arguments).map { (argument) in unsafe strdup(argument) } + [nil]
    defer { unsafe argv.forEach { (text) in unsafe free(text) } }
    var identifier: pid_t = 0
    guard unsafe posix_spawn(&identifier, path, &actions, nil, &argv, environ) == 0 else {
      close(fromProgram[0])
      throw Unstartable()
    }
    return (identifier, fromProgram[0])
  }

  /// The number of kills.
  static let rounds = Tier.choose(change: 6, merge: 20, night: 500)
}
