// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import WireFormats

/// The location of the agent's socket.
enum AgentSocket {
  /// The environment variable that sets another socket path. If it is empty, commands do not use an agent.
  static let variable = "PASSKEY_AGENT"

  /// The socket's path, or nil if none is configured.
  static var path: String? {
    if let value = unsafe getenv(variable) {
      let path = unsafe String(cString: value)
      return path.isEmpty ? nil : path
    }
    return folder.map { (folder) in folder + "/agent" }
  }

  private static var folder: String? {
    guard let runtime = Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return nil }
    return runtime + "/passkey"
  }

  /// Returns the path to listen at. Creates its folder if missing, accessible to this user only.
  static func prepare() throws(CommandFailure) -> String {
    guard let path else {
      throw .usage(
        "there is no path for the agent's socket: "
          + (unsafe getenv(variable) == nil ? "XDG_RUNTIME_DIR is not set" : "\(variable) is empty"),
        hint: "set \(variable) to a path")
    }
    if unsafe getenv(variable) == nil, let folder { try requirePrivate(folder) }
    return path
  }

  private static func requirePrivate(_ folder: String) throws(CommandFailure) {
    unsafe mkdir(folder, 0o700)
    var status = stat()
    guard unsafe lstat(folder, &status) == 0 else {
      throw .inputOutput("cannot create the folder \(folder.quotedForTerminal)", hint: "check $XDG_RUNTIME_DIR")
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .inputOutput(
        "\(folder.quotedForTerminal) is not a folder that only this user can reach",
        hint: "if it is yours, run chmod 700 on it")
    }
  }
}
