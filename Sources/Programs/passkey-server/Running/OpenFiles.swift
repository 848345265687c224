// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem

/// The limit of open files and connections of the process.
enum OpenFiles {
  /// Raises the limit to the system's maximum. Every connection uses a descriptor, and the default limit is too low for
  /// a server.
  static func raiseLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

/// The file of the access log.
enum AccessLogFile {
  /// Opens the file and returns its descriptor, which stays open until the process ends. "-" is standard output.
  static func open(_ path: String) throws(CommandFailure) -> Int32 {
    if path == "-" { return STDOUT_FILENO }
    let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      throw .inputOutput(
        "cannot write \(path.quotedForTerminal): \(SystemError(number: errno).message)")
    }
    return number
  }

  /// Reopens the file by its name, for example after a rotation. The descriptor's number stays the same, so no line is
  /// lost.
  static func reopen(_ path: String, as number: Int32) {
    guard path != "-" else { return }
    do throws(CommandFailure) {
      let new = try open(path)
      defer { close(new) }
      // Lines written at this moment go to the old file or the new one.
      if dup2(new, number) >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    } catch {
      Diagnostics.server.note("cannot reopen the access log, and still writing to the old file: \(error.message)")
    }
  }
}
