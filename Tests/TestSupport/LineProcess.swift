// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A program that was built beside the tests, spoken to by lines: one to its standard input, one from its standard output.
public final class LineProcess {
  /// The program could not be started, or has stopped answering.
  public struct Silent: Error {
    /// Which one.
    public let program: String
  }

  private let program: String
  private let identifier: pid_t
  private let input: CInt
  private let output: CInt

  /// Starts a program by its name.
  public init(_ program: String) throws {
    self.program = program
    (identifier, input, output) = try Self.starting.withLock { _ in try Self.start(program) }
  }

  /// One after the other: a pipe that another program inherits does not end when it is closed here.
  private static let starting = Mutex(())

  private static func start(_ program: String) throws -> (identifier: pid_t, input: CInt, output: CInt) {
    var toProgram: [CInt] = [-1, -1]
    var fromProgram: [CInt] = [-1, -1]
    guard unsafe pipe(&toProgram) == 0, unsafe pipe(&fromProgram) == 0 else { throw Silent(program: program) }
    for descriptor in toProgram + fromProgram { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer {
      close(toProgram[0])
      close(fromProgram[1])
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toProgram[0], STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromProgram[1], STDOUT_FILENO)
    guard let path = unsafe strdup("\(builtProgramsFolder)/\(program)") else { throw Silent(program: program) }
    defer { unsafe free(path) }
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [path, nil]
    var identifier: pid_t = 0
    guard unsafe posix_spawn(&identifier, path, &actions, nil, &arguments, environ) == 0 else {
      close(toProgram[1])
      close(fromProgram[0])
      throw Silent(program: program)
    }
    return (identifier, toProgram[1], fromProgram[0])
  }

  /// Closes the program's input, which ends it.
  deinit {
    close(input)
    close(output)
    waitpid(identifier, nil, 0)
  }

  /// Sends a line and waits for one.
  public func answer(to line: [UInt8]) throws -> [UInt8] {
    let sent = line + [UInt8(ascii: "\n")]
    guard unsafe write(input, sent, sent.count) == sent.count else { throw Silent(program: program) }
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return answer }
      answer.append(byte)
    }
    throw Silent(program: program)
  }
}
