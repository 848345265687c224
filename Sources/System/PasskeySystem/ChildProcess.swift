// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A child process. A thread of its own waits for its end, so that it never remains a zombie.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum End: Hashable, Sendable {
    case exited(code: Int32)
    case signaled(Int32)
    /// Another part of this program has collected the status.
    case unknown
  }

  package let identifier: Int32
  private let end = Locked<End?>(nil)

  /// Starts a program. It has no blocked signals, does not ignore SIGPIPE, and inherits the three standard streams, but no
  /// file that this module has opened.
  ///
  /// - Parameters:
  ///   - command: The program, which is searched in `PATH` unless it contains a slash, and its arguments.
  ///   - environment: The environment variables, each as `NAME=value`; nil for those of this process.
  ///   - streams: The files for standard input, output and error; nil for those of this process.
  ///   - isInNewSession: Whether it runs in a session of its own, without a terminal.
  /// - Throws: `noSuchFile` if there is no such program, and other errors of `posix_spawn` and `pthread_create`.
  package init(
    _ command: [String], environment: [String]? = nil, streams: [FileDescriptor?], isInNewSession: Bool = false
  ) throws(SystemError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip(STDIN_FILENO...STDERR_FILENO, streams) {
      if let stream { unsafe posix_spawn_file_actions_adddup2(&actions, stream.number, number) }
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isInNewSession ? Self.newSession : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = unsafe command.map { (word) in unsafe strdup(word) } + [nil]
    defer { unsafe arguments.forEach { (word) in unsafe free(word) } }
    var variables = unsafe (environment ?? []).map { (variable) in unsafe strdup(variable) } + [nil]
    defer { unsafe variables.forEach { (variable) in unsafe free(variable) } }
    var identifier = pid_t()
    let failure = unsafe variables.withUnsafeMutableBufferPointer { (variables) in
      unsafe posix_spawnp(
        &identifier, command.first ?? "", &actions, &attributes, &arguments,
        environment == nil ? environ : variables.baseAddress)
    }
    guard failure == 0 else { throw SystemError(number: failure) }
    self.identifier = identifier
    guard SystemThread.start({ [self] in waitForEnd() }) else {
      kill(identifier, SIGKILL)
      waitForEnd()
      throw SystemError(number: EAGAIN)
    }
  }

  // POSIX_SPAWN_SETSID, from a header that the C module omits.
  private static let newSession: Int32 = 0x80

  private func waitForEnd() {
    // Keep the ended process until `end` is set, so that ``end(within:)`` cannot signal a new process with its number.
    var information = unsafe siginfo_t()
    _ = try? SystemError.check { unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) }
    end.update { (end) in
      var status: Int32 = 0
      guard (try? SystemError.check { unsafe waitpid(identifier, &status, 0) }) != nil else {
        end = .unknown
        return
      }
      let signal = status & 0x7f
      end = signal == 0 ? .exited(code: status >> 8 & 0xff) : .signaled(signal)
    }
  }

  /// Blocks until the process ends, at most until `deadline`.
  ///
  /// - Returns: How it ended, or nil if the deadline passed first.
  package func waitForEnd(until deadline: ContinuousClock.Instant) -> End? {
    end.wait(until: deadline) { (end) in end }
  }

  /// Blocks until the process ends. Sends SIGTERM after `limit`, and SIGKILL after `limit` again.
  package func end(within limit: Duration) -> End {
    for signal in [SIGTERM, SIGKILL] {
      if let end = waitForEnd(until: .now + limit) { return end }
      end.withLock { (end) in
        if end == nil { kill(identifier, signal) }
      }
    }
    return end.wait { (end) in end }
  }

  /// Sends SIGKILL to all processes that share the session of a process that was started in a session of its own, and blocks
  /// until that process has ended.
  package func killSession() {
    end.withLock { (end) in
      if end == nil { kill(-identifier, SIGKILL) }
    }
    _ = end.wait { (end) in end }
  }
}

/// The process of this program.
package enum CurrentProcess {
  package static var identifier: Int32 { getpid() }

  /// The effective user.
  package static var userID: UInt32 { geteuid() }
}
