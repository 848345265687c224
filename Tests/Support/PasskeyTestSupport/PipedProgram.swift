// SPDX-License-Identifier: Apache-2.0

package import Glibc
internal import Synchronization

/// A running program of this build with pipes for its standard input and output.
package final class PipedProgram: Sendable {
  /// The program could not be started.
  package struct NotStarted: Error {
    /// Its name.
    package let program: String
  }

  package let identifier: pid_t

  /// The descriptor to write to.
  package let input: CInt

  /// The descriptor to read from.
  package let output: CInt

  /// Starts a program by its name, by default with the environment of the tests.
  package init(_ program: String, _ arguments: [String] = [], environment: [String]? = nil) throws {
    (identifier, input, output) = try Self.starting.withLock { _ in
      try Self.start("\(builtProgramsFolder)/\(program)", [program] + arguments, environment)
    }
  }

  /// Starts a command in a shell, in `folder`. The shell finds the built programs.
  package init(shell command: String, in folder: String) throws {
    let script = "cd '\(folder)' && PATH='\(builtProgramsFolder)':\"$PATH\" && \(command)"
    (identifier, input, output) = try Self.starting.withLock { _ in
      try Self.start("/bin/sh", ["sh", "-c", script], nil)
    }
  }

  /// Closes the program's input, which ends it.
  deinit {
    close(input)
    close(output)
    waitpid(identifier, nil, 0)
  }

  /// Serializes starts: another program that inherits a pipe would keep it open.
  private static let starting = Mutex(())

  private static func start(
    _ path: String, _ words: [String], _ environment: [String]?
  ) throws -> (identifier: pid_t, input: CInt, output: CInt) {
    var toProgram: [CInt] = [-1, -1]
    var fromProgram: [CInt] = [-1, -1]
    guard unsafe pipe(&toProgram) == 0, unsafe pipe(&fromProgram) == 0 else { throw NotStarted(program: path) }
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
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The starting thread may block signals that the program has to receive.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = unsafe words.map { (word) in unsafe strdup(word) } + [nil]
    var variables = unsafe (environment ?? []).map { (variable) in unsafe strdup(variable) } + [nil]
    defer { unsafe (words + variables).forEach { (text) in unsafe free(text) } }
    var identifier: pid_t = 0
    let failure =
      environment == nil
      ? unsafe posix_spawn(&identifier, path, &actions, &attributes, &words, environ)
      : unsafe posix_spawn(&identifier, path, &actions, &attributes, &words, &variables)
    guard failure == 0 else {
      close(toProgram[1])
      close(fromProgram[0])
      throw NotStarted(program: path)
    }
    return (identifier, toProgram[1], fromProgram[0])
  }
}

/// The folder with the test runner and the other built programs.
public let builtProgramsFolder: String = {
  var path = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
  let text = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return text.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
}()

/// A running program of this build that replies to each line on its standard input with a line on its standard output.
public final class LineProcess {
  /// The program stopped replying.
  public struct Silent: Error {
    /// Its name.
    public let program: String
  }

  private let name: String
  private let program: PipedProgram

  /// Starts a program by its name.
  public init(_ program: String) throws {
    name = program
    self.program = try PipedProgram(program)
  }

  /// Sends a line and waits for the reply.
  public func answer(to line: [UInt8]) throws -> [UInt8] {
    let sent = line + [UInt8(ascii: "\n")]
    guard unsafe write(program.input, sent, sent.count) == sent.count else { throw Silent(program: name) }
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(program.output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return answer }
      answer.append(byte)
    }
    throw Silent(program: name)
  }
}
