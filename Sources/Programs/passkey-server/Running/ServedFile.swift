// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem

/// A database file that only this server serves.
///
/// Rate limits are in a server's memory, and a second server of the same file would not know them. A server
/// therefore holds a flock(2) lock on the file itself. The lock covers all names of the file, leaves no lock file
/// behind, and is released when the process ends. SQLite's own locks use fcntl(2), so the console and backups can use
/// the database at the same time.
enum ServedFile {
  /// Opens or creates the file and locks it, before SQLite opens it.
  static func lock(_ path: String) throws(CommandFailure) {
    let file = try mapError(OpenFile(path, [.readingAndWriting, .creating])) { (error: SystemError) in
      CommandFailure.inputOutput(
        "cannot open \(path.quotedForTerminal): \(error.message)",
        hint: "check that the folder exists, that you own the file, and that the disk is not full")
    }
    do throws(SystemError) {
      if try file.lockIfFree() {
        // Never closed: that would release SQLite's fcntl(2) locks on the file.
        _ = unsafe Unmanaged.passRetained(file)
        return
      }
    } catch {
      throw .inputOutput("cannot lock \(path.quotedForTerminal): \(error.message)")
    }
    throw .inputOutput(
      "another server uses \(path.quotedForTerminal)",
      hint: "to run several servers, use PostgreSQL: \(Setting.database.option) postgres://USER@HOST/NAME")
  }
}
