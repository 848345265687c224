// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import PasskeyTestSupport
import Testing

@testable import passkey_server

@Suite struct SettingsTests {
  private func settings(
    _ arguments: [String], _ environment: [String: String] = [:], file: String = "{}"
  ) throws -> Settings {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    return try Settings(parsed, environment: environment) { (path) throws(CommandFailure) in
      guard path == "server.json" else { throw .inputOutput("no \(path)") }
      return [UInt8](file.utf8)
    }
  }

  @Test func `a missing setting has its default`() throws {
    let settings = try settings([])
    #expect(settings.choice(.relyingPartyID)?.text == "raxx.app")
    #expect(settings.choice(.idleLimit) == nil)
    #expect(settings.list(.origins) == [])
  }

  @Test func `options override the environment, and that the file`() throws {
    let file = #"{"rp-name": "of the file", "rp-id": "file.example", "listen": "127.0.0.1:3"}"#
    let environment = ["PASSKEY_RP_NAME": "of the environment", "RP_ID": "environment.example"]
    let settings = try settings(
      ["--config", "server.json", "--rp-name", "of the option"], environment, file: file)
    #expect(settings.choice(.relyingPartyName) == .init(text: "of the option", place: "--rp-name"))
    #expect(settings.choice(.relyingPartyID) == .init(text: "environment.example", place: "RP_ID"))
    #expect(settings.choice(.listen) == .init(text: "127.0.0.1:3", place: #"listen in "server.json""#))
  }

  @Test func `our own variables override shared ones`() throws {
    let settings = try settings([], ["PASSKEY_RP_ID": "own.example", "RP_ID": "other.example"])
    #expect(settings.choice(.relyingPartyID)?.text == "own.example")
  }

  @Test func `an empty variable is ignored`() throws {
    #expect(try settings([], ["RP_ID": ""]).choice(.relyingPartyID)?.text == "raxx.app")
  }

  @Test func `a misspelled variable is reported, and foreign ones are ignored`() throws {
    let environment = ["PASSKEY_SIGNUP": "invitation", "PASSKEY_DATABSE": "x", "PASSKEY_VAULT": "v", "ORIGINS": "x"]
    let misspelledVariables = try settings([], environment).misspelledVariables
    #expect(misspelledVariables.map(\.variable) == ["PASSKEY_DATABSE", "PASSKEY_SIGNUP"])
    #expect(misspelledVariables.map(\.meant) == ["PASSKEY_DATABASE", "PASSKEY_SIGN_UP"])
  }

  @Test func `variables of passkey are not reported`() throws {
    let environment = ["PASSKEY_PASSPHRASE": "x", "PASSKEY_SERVER": "http://127.0.0.1:8080", "PASSKEY_LAB": "1"]
    #expect(try settings([], environment).misspelledVariables.isEmpty)
    var read: Set<String> = []
    let pattern = /"(PASSKEY_[A-Z_]+)"/
    let sources = "\(projectFolder)/Sources/Programs/PasskeyCommands"
    for file in try Shell.run("grep -rhoE '\"PASSKEY_[A-Z_]+\"' '\(sources)'", in: "/").split(separator: "\n") {
      if let match = try pattern.wholeMatch(in: file) { read.insert(String(match.1)) }
    }
    let shared = Set(Setting.all.flatMap(\.variables))
    #expect(read.count > 5)
    #expect(read.subtracting(shared) == Settings.commandLineVariables)
    #expect(read.intersection(shared) == ["PASSKEY_RP_ID", "PASSKEY_ORIGIN", "PASSKEY_PROFILE"])
  }

  @Test func `a value of commas only is refused`() throws {
    #expect(try settings([], ["ORIGIN": ","]).list(.origins) == [.init(text: "", place: "ORIGIN")])
    #expect(try settings([], ["ORIGIN": "https://a.example,"]).list(.origins).count == 1)
  }

  @Test func `a list is repeated, comma-separated, or an array in the file`() throws {
    let expected = ["https://raxx.app", "https://www.raxx.app"]
    let options = try settings(["--origin", expected[0], "--origin", expected[1]])
    let environment = try settings([], ["ORIGIN": "https://raxx.app, https://www.raxx.app,"])
    let file = try settings(
      ["--config", "server.json"], file: #"{"origin": ["https://raxx.app", "https://www.raxx.app"]}"#)
    for settings in [options, environment, file] { #expect(settings.list(.origins).map(\.text) == expected) }
  }

  @Test func `the file may be named in the environment`() throws {
    let settings = try settings([], ["PASSKEY_CONFIG": "server.json"], file: #"{"rp-name": "Raxx again"}"#)
    #expect(settings.choice(.relyingPartyName)?.text == "Raxx again")
  }

  @Test(arguments: [
    (#"{"orgin": "x"}"#, #""server.json" has the unknown setting "orgin""#, "did you mean origin?"),
    (
      #"{"something": "x"}"#, #""server.json" has the unknown setting "something""#,
      "list the settings with passkey-server help serve"
    ),
  ])
  func `an unknown setting in the file is refused`(file: String, message: String, hint: String) {
    #expect(throws: CommandFailure.usage(message, hint: hint)) {
      try settings(["--config", "server.json"], file: file)
    }
  }

  @Test(arguments: ["", "[]", #"{"rp-id": true}"#, #"{"rp-id": ["a"]}"#, #"{"rp-id": "a", "rp-id": "b"}"#])
  func `a file that is not an object of settings is refused`(file: String) {
    #expect {
      try settings(["--config", "server.json"], file: file)
    } throws: { error in
      (error as? CommandFailure)?.exitCode == .usage
    }
  }
}
