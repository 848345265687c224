// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The folder and the settings of a server with `--for-tests`: nothing of it remains, and nothing of it waits.
struct TestServer {
  /// The settings.
  let settings: Settings

  /// The temporary folder with all files.
  let folder: String

  /// The settings that a server for tests has of its own.
  private static let own: [Setting] = [.configuration, .database, .secret, .trustedProxies]

  /// Creates the folder. Reads options only: a variable or a file may name the database or the mail server of another server.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    for setting in Self.own where arguments.has(setting.specification) {
      throw .usage(
        "\(setting.option) cannot be combined with \(ServeCommand.forTests.name)",
        hint: "a server for tests keeps its files in a temporary folder, and reads options only")
    }
    guard let made = TemporaryFiles.makeFolder() else {
      throw .inputOutput("cannot create a temporary folder: \(SystemError(number: errno).message)")
    }
    folder = made
    let standards: [Setting: String] = [
      .listen: "127.0.0.1:0", .database: "\(made)/passkey.sqlite", .secret: "\(made)/passkey.secret",
      .accessLog: "\(made)/access.log", .ceremoniesPerMinute: Self.high, .ceremoniesPerAccount: Self.high,
      .sessionLimit: "100000", .connections: "4096", .connectionsPerAddress: "4096",
    ]
    do throws(CommandFailure) {
      settings = try Settings(arguments, standards: standards)
      let listen = try ListeningAddress(settings.require(.listen))
      guard listen.isLoopback else {
        throw .usage(
          "\(listen) is not a loopback address", hint: "a server for tests has no limits: serve this machine only")
      }
    } catch {
      Self.remove(made)
      throw error
    }
  }

  // As many as the settings allow.
  private static let high = "1000000"

  /// Removes the folder.
  func remove() { Self.remove(folder) }

  private static func remove(_ folder: String) {
    for name in (try? OpenFile(folder, .folder).names()) ?? [] { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  /// Prints the variables with which `passkey` uses the server, as one line for a shell, and closes standard output: a
  /// shell that substitutes the output waits for its end.
  func announce(_ configuration: ServerConfiguration, at url: String) throws(CommandFailure) {
    var variables = [
      ("PASSKEY_SERVER", url), ("PASSKEY_ORIGIN", configuration.relyingParty.origins.first?.text ?? url),
    ]
    if let profile = settings.choice(.profile)?.text, profile != Setting.profile.standard {
      variables.append(("PASSKEY_PROFILE", profile))
    }
    variables.append((Self.processVariable, "\(getpid())"))
    let words = variables.map { (name, value) in "\(name)=\(value.quotedForShell)" }
    try Output.write("export \(words.joined(separator: " "))\n")
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard null >= 0 else { return }
    dup2(null, STDOUT_FILENO)
    close(null)
  }

  /// The variable with the number of the process, which ends the server: `kill $PASSKEY_SERVER_PID`.
  static let processVariable = "PASSKEY_SERVER_PID"
}

extension String {
  /// The text as one word of a shell.
  fileprivate var quotedForShell: String {
    let isPlain = utf8.allSatisfy { (byte) in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || "-._/:[]@".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
