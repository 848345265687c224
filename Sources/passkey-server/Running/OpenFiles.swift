// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemIO
internal import WireFormats

/// How many files and connections the process may have open.
enum OpenFiles {
  /// Asks for as many as the system lets it have: a connection is a file, and the usual limit is for programs that have
  /// none.
  static func raiseLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

/// Where a line for each request goes.
enum AccessLogFile {
  /// The file's number, open for as long as the process lives; "-" is standard output.
  static func open(_ path: String) throws(CommandFailure) -> Int32 {
    if path == "-" { return STDOUT_FILENO }
    let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      throw .inputOutput(
        "cannot write \(path.quotedForTerminal): \(SystemError(number: errno).message.lowercased())")
    }
    return number
  }

  /// Opens the file anew under its name, as after a rotation; the number stays the same, so that no line is lost.
  static func reopen(_ path: String, as number: Int32) {
    guard path != "-" else { return }
    do throws(CommandFailure) {
      let new = try open(path)
      defer { close(new) }
      // What is written meanwhile goes to the old file or the new one.
      if dup2(new, number) >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    } catch {
      Diagnostics.server.note("the access log stays where it was: \(error.message)")
    }
  }
}
