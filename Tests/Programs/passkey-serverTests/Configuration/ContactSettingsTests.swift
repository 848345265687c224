// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import PasskeyService
import PasskeyTestSupport
import Testing

@testable import passkey_server

/// The settings of verified addresses, of recovery by mail, and of the times of sessions.
@Suite struct ContactSettingsTests {
  private static func policy(_ arguments: [String]) throws -> ServicePolicy {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    return try ServerConfiguration(
      Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in
        throw .inputOutput("no \(path)")
      }
    ).policy
  }

  @Test(arguments: [
    (mail, #"{"endpoints":{"register-verify":{"response":{"ok":true}}}}"#, "endpoints.register-verify.response"),
    (mail, #"{"endpoints":{"verify-email":null}}"#, "endpoints.verify-email"),
    (mail + ["--verify-email", "off"], #"{"endpoints":{"verify-email":null}}"#, "endpoints.verify-email"),
    (mail + ["--recovery", "email"], #"{"endpoints":{"request-recovery":null}}"#, "endpoints.request-recovery"),
    (
      mail + ["--recovery", "email"],
      #"{"endpoints":{"register-options":{"request":{"email":"$account.email"}}}}"#,
      "endpoints.register-options.request"
    ),
    (
      mail + ["--verify-email", "before-first-use"], #"{"errors":{"shape":{"code":"$error.code"}}}"#, "errors.shape"
    ),
    ([], #"{"errors":{"statuses":{"nope.nope":400}}}"#, "errors.statuses.nope.nope"),
    ([], #"{"endpoints":{"nope":"GET /nope"}}"#, "endpoints.nope: no endpoint has this name"),
  ])
  func `a profile that does not fit the settings is refused`(
    arguments: [String], profile: String, place: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/profile.json"
    let members = #""name":"shop","extends":"raxx","# + profile.dropFirst()
    try File.write(Array("{\(members)".utf8), to: path)
    let failure = #expect(throws: CommandFailure.self) { try Self.policy(arguments + ["--profile", path]) }
    #expect(failure?.message.contains(" at \(place)") == true, "\(failure?.message ?? "")")
  }

  @Test func `a profile needs no mail endpoints on a server without mail`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/profile.json"
    let text =
      #"{"name":"shop","extends":"raxx","endpoints":{"verify-email":null,"request-recovery":null},"#
      + #""errors":{"statuses":{"passkey.last":422,"http.not-found":410}}}"#
    try File.write(Array(text.utf8), to: path)
    #expect(try Self.policy(["--profile", path]).contact.verification == .off)
  }

  private static let mail = ["--mail", "smtp-unencrypted://127.0.0.1:25"]

  @Test(arguments: [
    ([], ServicePolicy.Contact.EmailVerification.off), (mail, .required), (mail + ["--profile", "yapt"], .off),
    (mail + ["--verify-email", "off"], .off), (mail + ["--verify-email", "before-first-use"], .beforeFirstUse),
    (mail + ["--profile", "aiday"], .required),
  ])
  func `addresses are verified if there is a mail server, unless a setting says otherwise`(
    arguments: [String], rule: ServicePolicy.Contact.EmailVerification
  ) throws {
    #expect(try Self.policy(arguments).contact.verification == rule)
  }

  @Test func `recovery by mail waits three days, or as long as its setting says`() throws {
    #expect(try Self.policy(Self.mail).contact.recovery == .administrator)
    #expect(
      try Self.policy(Self.mail + ["--recovery", "email"]).contact.recovery == .email(waiting: .seconds(259_200)))
    let waiting = try Self.policy(Self.mail + ["--recovery", "email", "--recovery-wait", "1h"]).contact.recovery
    #expect(waiting == .email(waiting: .seconds(3_600)))
    #expect(try Self.policy(["--mail-code-lifetime", "5m"]).contact.codeLifetime == .seconds(300))
  }

  @Test(arguments: [
    (["--verify-email", "required"], "--verify-email needs a mail server"),
    (["--recovery", "email"], "--recovery needs a mail server"),
    (["--recovery-wait", "1h"], "--recovery-wait applies to recovery by mail"),
    (mail + ["--profile", "yapt", "--verify-email", "required"], "--verify-email needs addresses"),
    (mail + ["--verify-email", "sometimes"], "--verify-email"), (["--verify-after", "60s"], "--verify-after"),
    (["--mail-code-lifetime", "2d"], "--mail-code-lifetime"),
  ])
  func `a setting without its condition is refused`(arguments: [String], message: String) {
    let failure = #expect(throws: CommandFailure.self) { try Self.policy(arguments) }
    #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
  }

  @Test func `the times of sessions are those of the profile, or of the settings`() throws {
    let sessions = try Self.policy(["--session-warning", "5m", "--verify-after", "10m"]).sessions
    #expect(sessions.warning == .seconds(300) && sessions.verificationLimit == .seconds(600))
    #expect(try Self.policy([]).sessions.warning == .seconds(120))
    #expect(try Self.policy([]).sessions.verificationLimit == nil)
  }
}
