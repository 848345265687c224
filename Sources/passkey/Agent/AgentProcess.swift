// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemIO

/// A background agent process: this program, in its own process session.
struct AgentProcess {
  let identifier: pid_t

  // POSIX_SPAWN_SETSID, from a header that the C module omits.
  private static let newSession: Int16 = 0x80

  // 10 s  [a process starts within milliseconds]
  private static let attempts = 1000
  private static let pause: useconds_t = 10_000

  init(lockAfter: String?) throws(CommandFailure) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Self.newSession)
    let words =
      ["passkey", "agent", "start", "--foreground", "--locked"] + (lockAfter.map { ["--lock-after", $0] } ?? [])
    var arguments = unsafe words.map { (word) in unsafe strdup(word) } + [nil]
    defer { unsafe arguments.forEach { (word) in unsafe free(word) } }
    var identifier: pid_t = 0
    var environment = unsafe Self.environment.map { (variable) in unsafe strdup(variable) } + [nil]
    defer { unsafe environment.forEach { (variable) in unsafe free(variable) } }
    let failure = unsafe posix_spawn(&identifier, Self.program, &actions, &attributes, &arguments, &environment)
    guard failure == 0 else {
      throw .inputOutput("the agent cannot be started: \(SystemError(number: failure).message.lowercased())")
    }
    self.identifier = identifier
  }

  /// This program's environment without the passphrase variable. Otherwise /proc would expose the passphrase during the
  /// agent's whole lifetime, even while it is locked.
  private static var environment: [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      unsafe variables.append(String(cString: variable))
      unsafe next += 1
    }
    return variables.filter { (variable) in !variable.hasPrefix(Passphrase.variable + "=") }
  }

  /// The path of this program's executable.
  private static var program: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
    return String(decoding: path.prefix(max(0, count)).map { (byte) in UInt8(bitPattern: byte) }, as: UTF8.self)
  }

  /// Waits until the agent listens, and connects to it.
  func connection() throws(CommandFailure) -> AgentClient {
    for _ in 0..<Self.attempts {
      if let client = AgentClient() { return client }
      guard waitpid(identifier, nil, WNOHANG) == 0 else { break }
      usleep(Self.pause)
    }
    throw .inputOutput(
      "the agent has not started", hint: "find the reason with passkey agent start --foreground --locked")
  }
}
