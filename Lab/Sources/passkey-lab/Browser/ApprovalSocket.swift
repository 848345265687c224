// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands

/// The location of the socket at which `passkey browser approve` takes the questions of browsers.
enum ApprovalSocket {
  /// The socket's path; nil if XDG_RUNTIME_DIR is not set.
  static var path: String? { RuntimeFolder.path.map { (folder) in folder + "/approve" } }

  /// Returns the path to listen at. Creates its folder if it is missing, accessible to this user only.
  static func prepare() throws(CommandFailure) -> String {
    guard let path else {
      throw .usage(
        "there is no path for the socket: XDG_RUNTIME_DIR is not set",
        hint: "set it to a folder of your own, for the browser too")
    }
    try RuntimeFolder.create()
    return path
  }
}
