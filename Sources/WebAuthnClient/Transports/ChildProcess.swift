// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A child process that acts as a device.
final class ChildProcess: Sendable {
  private let identifier: pid_t
  private let name: String

  private init(_ identifier: pid_t, _ name: String) {
    self.identifier = identifier
    self.name = name
  }

  /// Starts a program whose standard input and output are connected to a socket. It inherits standard error and no
  /// other open descriptor.
  static func start(_ command: [String]) throws(ClientError) -> (connection: Int32, process: ChildProcess) {
    guard let name = command.first, !name.isEmpty else {
      throw ClientError(.authenticatorFailed, "no program is named")
    }
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ClientError(.authenticatorFailed, "no connection: \(SystemMessage.last)")
    }
    defer { close(ends[1]) }
    let (failure, identifier) = spawn(command, name, at: ends[1])
    guard failure == 0 else {
      close(ends[0])
      throw ClientError(.authenticatorFailed, "\(name) cannot be started: \(SystemMessage.of(failure))")
    }
    return (ends[0], ChildProcess(identifier, name))
  }

  private static func spawn(_ command: [String], _ name: String, at end: Int32) -> (failure: Int32, pid_t) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
    // Reset the signal mask and the ignored signals, which the child would otherwise inherit from this process.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var pipes = none
    unsafe sigaddset(&pipes, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &pipes)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = unsafe command.map { (word) in unsafe strdup(word) } + [nil]
    defer { unsafe arguments.forEach { (word) in unsafe free(word) } }
    var identifier = pid_t()
    let failure = unsafe posix_spawnp(&identifier, name, &actions, &attributes, &arguments, environ)
    return (failure, identifier)
  }

  /// Waits for the process to exit. Sends SIGTERM after `milliseconds` and SIGKILL after as many again. Returns a
  /// description of how it ended.
  @discardableResult
  func end(within milliseconds: Int32) -> String {
    for signal in [nil, SIGTERM, SIGKILL] {
      if let signal { kill(identifier, signal) }
      var left = signal == SIGKILL ? Int32.max : milliseconds
      while true {
        var status: Int32 = 0
        let ended = unsafe waitpid(identifier, &status, WNOHANG)
        if ended == identifier { return words(for: status) }
        if ended < 0, errno != EINTR { return "\(name) has ended" }
        guard left > 0 else { break }
        usleep(1000)
        left -= 1
      }
    }
    return "\(name) goes on"
  }

  private func words(for status: Int32) -> String {
    let signal = status & 0x7f
    if signal != 0 { return "\(name) was ended by signal \(signal)" }
    return "\(name) has ended with exit code \(status >> 8 & 0xff)"
  }
}
