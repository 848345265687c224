// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem

/// The folder for the program's sockets.
package enum RuntimeFolder {
  /// The folder's path; nil if XDG_RUNTIME_DIR names none.
  package static var path: String? {
    guard let runtime = Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return nil }
    return runtime + "/passkey"
  }

  /// Creates the folder if it is missing. Throws unless only this user can access it.
  package static func create() throws(CommandFailure) {
    guard let path else { return }
    do throws(SystemError) {
      try Folder.create(path)
      let status = try FileStatus(ofFileAt: path, followingLinks: false)
      if status.kind == .folder, status.isPrivate { return }
    } catch {
      throw .inputOutput("cannot create the folder \(path.quotedForTerminal)", hint: "check $XDG_RUNTIME_DIR")
    }
    throw .inputOutput(
      "\(path.quotedForTerminal) is not a folder that only this user can reach",
      hint: "if it is yours, run chmod 700 on it")
  }
}
