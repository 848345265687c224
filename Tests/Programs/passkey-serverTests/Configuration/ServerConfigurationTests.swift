// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCommandLine
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyProfiles
import PasskeyService
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import passkey_server

@Suite struct ServerConfigurationTests {
  private func configuration(_ arguments: String...) throws -> ServerConfiguration {
    try Self.configuration(arguments)
  }

  private static func configuration(_ arguments: [String]) throws -> ServerConfiguration {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    return try ServerConfiguration(
      Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in
        throw .inputOutput("no \(path)")
      })
  }

  @Test func `the default is a server for raxx_app on loopback`() throws {
    let configuration = try configuration()
    #expect(configuration.relyingParty.id.text == "raxx.app")
    #expect(configuration.relyingParty.origins.map(\.text) == ["https://raxx.app"])
    #expect(configuration.listen.isLoopback)
    #expect(configuration.tls == nil)
    #expect(configuration.database == .file("passkey.sqlite"))
    #expect(configuration.policy.signUp == .open)
    #expect(configuration.policy.sessions.lifetime == .seconds(900))
    #expect(configuration.policy.sessions.renewal == nil)
    #expect(configuration.warnings == [])
  }

  @Test(arguments: [
    (["--listen", "127.0.0.1:8092"], "http://localhost:8092"), (["--listen", "127.0.0.1:80"], "http://localhost"),
    (["--listen", "127.0.0.1:0"], "https://localhost"),
    (["--tls-certificate", "a", "--tls-key", "b"], "https://localhost"),
    (["--origin", "http://localhost:3000"], "http://localhost:3000"),
  ])
  func `localhost without TLS uses the address of the server as its origin`(arguments: [String], origin: String) throws
  {
    let configuration = try Self.configuration(["--rp-id", "localhost"] + arguments)
    #expect(configuration.relyingParty.origins.map(\.text) == [origin])
    #expect(configuration.warnings.isEmpty == !arguments.contains("127.0.0.1:0"))
  }

  @Test func `the algorithms of new passkeys are those of the settings, in their order`() throws {
    #expect(try configuration().relyingParty.policy.algorithms.first == .es256)
    let chosen = try configuration("--algorithm", "ml-dsa-65", "--algorithm", "ES256")
    #expect(chosen.relyingParty.policy.algorithms == [.mlDSA65, .es256])
    for refused in ["RS1", "ML-DSA-66", ""] {
      let error = #expect(throws: CommandFailure.self) { try configuration("--algorithm", refused) }
      #expect(error?.message.hasPrefix("--algorithm cannot be") == true)
    }
  }

  @Test(arguments: [
    (["--idle-limit", "15m"], "--idle-limit"), (["--refresh", "15m"], "--refresh"),
    (["--idle-limit", "14m"], nil), (["--idle-limit", "2h", "--refresh", "3h"], nil), (["--profile", "aiday"], nil),
  ])
  func `a duration without effect is reported`(arguments: [String], named: String?) throws {
    let warnings = try Self.configuration(arguments).warnings
    #expect(warnings.count == (named == nil ? 0 : 1))
    #expect(warnings.first?.hasPrefix(named ?? "") != false)
  }

  @Test(arguments: [
    ("postgres://raxx@db.example/raxx", true), ("postgres://raxx@db.example/raxx?sslmode=prefer", true),
    ("postgres://raxx@db.example/raxx?sslmode=disable", true), ("postgres://raxx@127.0.0.1,db.example/raxx", true),
    ("postgres://raxx@localhost/raxx?hostaddr=192.0.2.7", true),
    ("postgres://raxx@db.example/raxx?sslmode=require", false),
    ("postgres://raxx@db.example/raxx?sslmode=verify-full", false), ("postgres:///raxx", false),
    ("postgres://raxx@localhost/raxx", false), ("postgres://raxx@127.0.0.1:5433/raxx", false),
    ("postgres://raxx@[::1]/raxx", false), ("postgres:///raxx?host=/run/postgresql", false),
  ])
  func `a remote PostgreSQL without required TLS is warned about`(url: String, isWarned: Bool) throws {
    let warnings = try configuration("--database", url).warnings
    #expect(warnings.contains { $0.contains("sslmode=verify-full") } == isWarned)
  }

  @Test func `connection limits are settings`() throws {
    let limits = try configuration("--connections", "300", "--connections-per-address", "12").serverLimits
    #expect(limits.connections == 300 && limits.connectionsPerAddress == 12)
    #expect(throws: CommandFailure.self) { try configuration("--connections", "0") }
  }

  @Test func `a related origin may use our passkeys`() throws {
    let fingerprint = (0..<32).map { _ in "AB" }.joined(separator: ":")
    let configuration = try configuration(
      "--related-origin", "https://raxx.example", "--registered-domain", "raxx.example",
      "--android-app", "app.raxx=\(fingerprint)")
    #expect(configuration.relyingParty.origins.map(\.text).prefix(2) == ["https://raxx.app", "https://raxx.example"])
    #expect(configuration.relyingParty.origins.last?.text.hasPrefix("android:apk-key-hash:") == true)
  }

  private static let sixDomains = (1...6).flatMap { (number) in
    ["--related-origin", "https://raxx\(number).example", "--registered-domain", "raxx\(number).example"]
  }

  private static let unpublishable: [(arguments: [String], message: String)] = [
    (["--related-origin", "https://10.0.0.1"], "--related-origin https://10.0.0.1 cannot be published"),
    (
      ["--related-origin", "https://raxx.example", "--registered-domain", "yapt.example"],
      "--related-origin https://raxx.example is in no registered domain"
    ),
    (
      ["--related-origin", "https://raxx.example", "--registered-domain", "example"],
      "--registered-domain cannot be \"example\""
    ),
    (
      [
        "--related-origin", "https://a.raxx.example", "--registered-domain", "raxx.example", "--registered-domain",
        "a.raxx.example",
      ],
      "--registered-domain names a subdomain of another"
    ),
    (sixDomains, "--related-origin names more than 5 domains"),
  ]

  @Test(arguments: unpublishable)
  func `a related origin that cannot be published is named`(arguments: [String], message: String) {
    #expect {
      try Self.configuration(arguments)
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == .usage && failure.message.hasPrefix(message)
    }
  }

  @Test func `--origin accepts an origin that --related-origin names`() throws {
    let configuration = try configuration(
      "--origin", "https://raxx.example", "--related-origin", "https://raxx.example", "--registered-domain",
      "raxx.example")
    #expect(configuration.relyingParty.origins.map(\.text) == ["https://raxx.example"])
  }

  @Test(arguments: [
    ["--rp-id", "RAXX.app"], ["--rp-id", "127.0.0.1"], ["--origin", "raxx.app"], ["--origin", "https://raxx.com"],
    ["--origin", "https://notraxx.app"], ["--origin", "http://raxx.app"], ["--top-origin", "x"],
    ["--listen", "8080"], ["--listen", "localhost:8080"], ["--listen", "::1:8080"], ["--listen", "127.0.0.1:65536"],
    ["--tls-certificate", "a.pem"], ["--tls-key", "a.pem"], ["--trusted-proxy", "10.0.0.1/8"],
    ["--database", "mysql://x"], ["--session-lifetime", "15"], ["--session-lifetime", "0m"],
    ["--session-lifetime", "-5m"], ["--session-lifetime", "m"], ["--idle-limit", "99999999999999999999d"],
    ["--step-up-lifetime", "1w"], ["--apple-app", "raxx"], ["--android-app", "app.raxx"],
    ["--android-app", "app.raxx=AB:CD"], ["--related-origin", "https://raxx.example"],
    ["--step-up-lifetime", "10d"], ["--idle-limit", "30s"], ["--top-origin", "http://raxx.app"],
    ["--rp-name", "Raxx\u{1b}[2J"], ["--registered-domain", "raxx.example"], ["--tokens", "header"],
    ["--access-log", "passkey.sqlite"], ["--ceremonies-per-minute", "0"], ["--ceremonies-per-minute", "many"],
    ["--rp-name="],
  ])
  func `an invalid value is reported with its source`(arguments: [String]) {
    #expect {
      try Self.configuration(arguments)
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == .usage && failure.message.contains(arguments[0].prefix { $0 != "=" })
        && failure.hint != nil
    }
  }

  @Test func `the database password is not printed`() throws {
    #expect("\(try configuration("--database", "postgres://u:secret@h/n").database)" == "PostgreSQL")
    #expect {
      try Self.configuration(["--database", "redis://u:secret@h/n"])
    } throws: { error in
      !"\(error)".contains("secret")
    }
  }

  @Test(arguments: ["postgres://u:pa@secret@h/n", "postgres://u:secret", "postgres://u:secret@[::1/n"])
  func `an unescaped password is not printed either`(url: String) {
    #expect {
      try Self.configuration(["--database", url])
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.exitCode == .usage && !"\(failure)".contains("secret") && failure.hint?.contains("%40") == true
    }
  }

  @Test(arguments: ["postgres://u:p%40ss%2Fw%3A@h/n", "postgres:///n?host=/run/postgresql"])
  func `other URLs are left to the database client`(url: String) throws {
    #expect(try configuration("--database", url).database == .server(url: url))
  }

  @Test func `tokens are delivered as configured or as in the profile`() throws {
    #expect(try configuration().profile.sessions.deliveries == [.bearer, .cookie])
    #expect(try configuration("--tokens", "cookie").profile.sessions.deliveries == [.cookie])
    #expect(try configuration("--tokens", "both").profile.sessions.deliveries == [.bearer, .cookie])
    #expect(try configuration("--profile", "yapt").profile.sessions.deliveries == [.cookie])
    #expect(try configuration("--profile", "yapt", "--tokens", "bearer").profile.sessions.deliveries == [.bearer])
  }

  @Test func `the __Host- prefix is configurable`() throws {
    #expect(try configuration("--profile", "yapt", "--cookie-prefix", "host").profile.sessions.cookie.prefix == .host)
    #expect(try configuration("--cookie-prefix", "none").profile.sessions.cookie.prefix == .none)
    #expect {
      try Self.configuration(["--tokens", "bearer", "--cookie-prefix", "host"])
    } throws: { error in
      (error as? CommandFailure)?.exitCode == .usage
    }
  }

  @Test func `a profile sets the ceremonies, the sessions and the limits`() throws {
    let yapt = try configuration("--profile", "yapt")
    #expect(yapt.relyingParty.policy.residentKey == .preferred)
    #expect(yapt.relyingParty.policy.userVerification == .preferred)
    #expect(yapt.policy.sessions.lifetime == .seconds(30 * 86_400))
    #expect(yapt.limits.registrationsPerAddress?.burst == 5)
    #expect(yapt.limits.signInsPerAddress?.burst == 10)
    let aiday = try configuration("--profile", "aiday").policy
    #expect(aiday.signUp == .approval)
    #expect(aiday.sessions.idleLimit == .seconds(900))
    #expect(aiday.sessions.lifetime == .seconds(600))
    #expect(aiday.sessions.renewal?.tokenLifetime == .seconds(14 * 86_400))
  }

  @Test func `a profile is read from a file, and a fault is named by its path`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/mine.json"
    try File.write(Array(#"{"name":"mine","extends":"yapt","root":"/v2"}"#.utf8), to: path)
    let profile = try configuration("--profile", path).profile
    #expect(profile.name == "mine")
    #expect(profile[.me]?.path == "/v2/auth/me")
    try File.write(Array(#"{"name":"mine","extends":"yapt","sessions":{"lifetime":5}}"#.utf8), to: path)
    #expect {
      try Self.configuration(["--profile", path])
    } throws: { error in
      let failure = error as? CommandFailure
      return failure?.exitCode == .usage && failure?.message.contains("at sessions.lifetime: ") == true
    }
  }

  @Test func `trusting every proxy is reported`() throws {
    #expect(try configuration("--trusted-proxy", "0.0.0.0/0").warnings.count == 1)
    #expect(try configuration("--trusted-proxy", "10.0.0.0/8").warnings == [])
  }

  @Test func `plain HTTP on a network is reported`() throws {
    #expect(try configuration("--listen", "0.0.0.0:80").warnings.count == 1)
    #expect(try configuration("--listen", "[::]:80").warnings.count == 1)
    #expect(try configuration("--listen", "[::1]:80").warnings == [])
    #expect(
      try configuration("--listen", "0.0.0.0:443", "--tls-certificate", "c", "--tls-key", "k").warnings == [])
  }
}
