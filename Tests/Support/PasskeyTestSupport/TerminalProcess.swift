// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A command on its own pseudo-terminal, and a user who types.
public final class TerminalProcess {
  /// The terminal or the shell could not be started.
  public struct NotStarted: Error {}

  private var terminal: CInt
  private let identifier: pid_t
  private var shown: [UInt8] = []

  // TIOCSPTLCK, TIOCGPTN and POSIX_SPAWN_SETSID, from headers that the C module omits.
  private static let unlock: UInt = 0x4004_5431
  private static let tellNumber: UInt = 0x8004_5430
  private static let newSession: Int16 = 0x80

  /// Starts a command in a shell, in `folder`, on a terminal with this many columns.
  public init(_ command: String, in folder: String, columns: UInt16 = 80) throws {
    terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw NotStarted() }
    // Opened by its number, and unlocked for that (ioctl_tty(2)).
    var number: CInt = 0
    var isLocked: CInt = 0
    guard unsafe ioctl(terminal, Self.unlock, &isLocked) == 0, unsafe ioctl(terminal, Self.tellNumber, &number) == 0
    else {
      close(terminal)
      throw NotStarted()
    }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // A session leader that opens a terminal gets it as its controlling terminal.
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The test runner blocks signals that the command has to receive.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    // A test runner that was started by nohup ignores SIGHUP, and children inherit that.
    var hangup = none
    unsafe sigaddset(&hangup, SIGHUP)
    unsafe posix_spawnattr_setsigdefault(&attributes, &hangup)
    unsafe posix_spawnattr_setflags(
      &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let script = "cd '\(folder)' && export TERM=xterm PATH='\(builtProgramsFolder)':\"$PATH\" && \(command)"
    let words = unsafe ["/bin/sh", "-c", script].map { (word: String) in unsafe strdup(word) }
    defer { unsafe words.forEach { unsafe free($0) } }
    var arguments = unsafe words + [nil]
    var identifier: pid_t = 0
    guard unsafe posix_spawn(&identifier, "/bin/sh", &actions, &attributes, &arguments, environ) == 0 else {
      close(terminal)
      throw NotStarted()
    }
    self.identifier = identifier
  }

  deinit {
    kill(identifier, SIGHUP)
    hangUp()
    waitpid(identifier, nil, 0)
  }

  /// Closes the terminal, like closing its window.
  public func hangUp() {
    if terminal >= 0 { close(terminal) }
    terminal = -1
  }

  /// Types text.
  public func type(_ text: String) {
    let bytes = [UInt8](text.utf8)
    _ = unsafe write(terminal, bytes, bytes.count)
  }

  /// Waits until the terminal has shown the text after the output that previous calls consumed. Returns false if it does not
  /// within this many seconds.
  public func waits(for text: String, seconds: Int = HangGuard.seconds) -> Bool {
    let wanted = [UInt8](text.utf8)
    for _ in 0..<(seconds * 20) {
      if let found = shown.firstRange(of: wanted) {
        shown.removeSubrange(..<found.upperBound)
        return true
      }
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&waiting, 1, 50) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(terminal, &chunk, chunk.count)
      guard count > 0 else { return shown.firstRange(of: wanted) != nil }
      shown += chunk.prefix(count)
    }
    return false
  }

  /// Waits until the shell has been replaced by this program; returns false when it is not within the limit of ``HangGuard``.
  public func waits(untilItRuns program: String) -> Bool {
    HangGuard.waits { () -> Bool in
      (try? File.bytes("/proc/\(identifier)/comm")) == Array("\(program)\n".utf8)
    }
  }

  /// The output that no call has consumed.
  public var rest: String { String(decoding: shown, as: UTF8.self) }

  /// Whether the terminal has its initial mode: it echoes input and buffers lines.
  public var isAsItWas: Bool {
    var mode = termios()
    guard unsafe tcgetattr(terminal, &mode) == 0 else { return false }
    return mode.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
  }

  /// Sends a signal to the command.
  public func send(_ signal: CInt) {
    kill(-identifier, signal)
  }

  /// Waits for the command to end and returns its exit code; nil if a signal ended it.
  public func end() -> CInt? {
    var status: CInt = 0
    guard unsafe waitpid(identifier, &status, 0) == identifier, status & 0x7f == 0 else { return nil }
    return status >> 8 & 0xff
  }
}
