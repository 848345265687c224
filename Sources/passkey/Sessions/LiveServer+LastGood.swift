// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension LiveServer {
  /// Prints what a read gives. Without a connection it is what the same read gave last in this process, with its time: that
  /// is better than nothing, and the read has failed all the same.
  func print(
    _ command: String, _ arguments: ParsedArguments, _ read: () async throws(CommandFailure) -> [UInt8]
  ) async throws(CommandFailure) {
    // No path of a server's begins so.
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
