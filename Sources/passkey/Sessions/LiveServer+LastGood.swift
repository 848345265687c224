// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension LiveServer {
  /// Prints the result of a read. Without a connection, prints the last result of the same read in this process, with
  /// its time, and still throws the error.
  func print(
    _ command: String, _ arguments: ParsedArguments, _ read: () async throws(CommandFailure) -> [UInt8]
  ) async throws(CommandFailure) {
    // Cannot collide with a path, which begins with a slash.
    let name = arguments.has("--json") ? command + " --json" : command
    let text: [UInt8]
    do throws(CommandFailure) {
      text = try await read()
      remember(text, of: name)
    } catch {
      guard error.exitCode == .network, let last = last(of: name) else { throw error }
      Diagnostics.passkey.note(last.banner)
      try Output.write(last.body)
      throw error
    }
    try Output.write(text)
  }
}
