// SPDX-License-Identifier: Apache-2.0

public import Testing

extension Transcript {
  /// Runs the commands in the project's folder, and expects what the file shows.
  public static func follow(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let transcript = try Self(path: path)
    #expect(!transcript.steps.isEmpty, sourceLocation: sourceLocation)
    for step in transcript.steps {
      let printed = try Shell.run(step.command, in: projectFolder)
      #expect(printed == step.expected, "\(path), line \(step.line): \(step.command)", sourceLocation: sourceLocation)
    }
  }

  /// Runs the commands against a server of their own, in a folder with a vault of their own. `helpers` is the folder that
  /// they know as `$TRANSCRIPTS`.
  public static func follow(
    _ path: String, server command: String, ready sign: String, helpers: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let place = try TemporaryFolder()
    let transcript = try Self(path: path)
    #expect(!transcript.steps.isEmpty, sourceLocation: sourceLocation)
    let server = try ServerProcess(command, in: place.path, ready: sign)
    defer { _ = try? Shell.run("rm -rf state", in: place.path) }
    let settings = """
      export PASSKEY_SERVER=http://127.0.0.1:\(server.port) PASSKEY_ORIGIN=https://raxx.app PASSKEY_VAULT=vault \
      PASSKEY_PASSPHRASE=only-a-test XDG_STATE_HOME="$PWD/state" TRANSCRIPTS='\(helpers)'

      """
    for step in transcript.steps {
      let printed = try Shell.run(settings + step.command, in: place.path)
      let normalized = Normalization.normalized(printed, port: server.port, folder: place.path)
      #expect(
        normalized == step.expected, "\(path), line \(step.line): \(step.command)", sourceLocation: sourceLocation)
    }
  }
}
