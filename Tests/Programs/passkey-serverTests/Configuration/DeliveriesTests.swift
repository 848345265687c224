// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCommandLine
import PasskeyCrypto
import PasskeyDelivery
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

@testable import passkey_server

struct DeliveriesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String, to name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try OutputFile.write(Array(text.utf8), to: path, isSecret: true)
    return path
  }

  private func deliveries(_ arguments: String...) throws -> Deliveries {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    return try ServerConfiguration(
      Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in [] }
    ).deliveries
  }

  private func file(_ json: String) throws -> Deliveries {
    try deliveries("--deliveries", write(json, to: "deliveries.json"))
  }

  @Test func `without settings nothing is delivered`() throws {
    let deliveries = try deliveries()
    #expect(try deliveries.destinations.isEmpty && deliveries.senders().isEmpty && deliveries.mailSender() == nil)
  }

  @Test func `mail wants the events that have a template, or the chosen ones and those with codes`() throws {
    let all = try deliveries("--mail", "smtp://mail.example")
    #expect(all.destinations.map(\.name.rawValue) == ["mail"])
    #expect(all.destinations[0].events.contains("session.new-client"))
    // Every sign-in is a mail only on request.
    #expect(!all.destinations[0].events.contains("session.opened"))
    let each = try deliveries("--mail", "smtp://mail.example", "--mail-event", "session.opened")
    #expect(each.destinations[0].events.contains("session.opened"))
    #expect(try all.senders().keys.map(\.rawValue) == ["mail"])
    let some = try deliveries("--mail", "smtp://mail.example", "--mail-event", "security.alert")
    #expect(some.destinations[0].events.contains("security.alert"))
    #expect(some.destinations[0].events.contains("email.verification-requested"))
    #expect(!some.destinations[0].events.contains("session.opened"))
  }

  @Test(arguments: [
    ["--mail", "mail.example"], ["--mail", "smtp://ada:secret@mail.example"], ["--mail-from", "a@b.example"],
    ["--mail", "smtp://mail.example", "--mail-from", "nobody"], ["--mail", "smtp://ada@mail.example"],
    ["--mail", "smtp://mail.example", "--mail-templates", "/nowhere"],
    ["--mail", "smtp://mail.example", "--mail-event", "order.filled"],
    ["--mail", "smtp://ada@mail.example", "--mail-password", "/nowhere"],
  ])
  func `unusable mail settings are refused, and no password is repeated`(_ arguments: [String]) throws {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    let error = #expect(throws: CommandFailure.self) {
      try ServerConfiguration(
        Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in [] })
    }
    #expect(error?.message.contains("secret") == false && error?.hint?.contains("secret") != true)
  }

  @Test func `the file names webhooks and push services`() throws {
    let secret = try write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", to: "erp.secret")
    let key = try write(
      PEM.text("PRIVATE KEY", SigningKey.generate(.es256, random: .system).pkcs8.exposedBytes), to: "key.p8")
    let deliveries = try file(
      """
      {"webhooks": [{"name": "erp", "url": "https://hooks.example/", "secretFiles": ["\(secret)"], "events": ["account.*"],
        "allowedAddresses": ["10.0.0.0/8"], "resolve": ["hooks.example:443:192.0.2.1,[2001:db8::1]"]}],
       "apns": {"keyFile": "\(key)", "keyId": "ABC1234567", "teamId": "TEAM123456", "topic": "app.raxx.ios",
        "texts": {"order.filled": {"title": "Filled", "body": "Your order was filled."}, "session.opened": null}}}
      """)
    #expect(deliveries.destinations.map(\.name.rawValue) == ["webhook:erp", "apns"])
    #expect(deliveries.destinations[0].events == ["account.*"])
    #expect(deliveries.destinations[1].events.contains("order.filled"))
    #expect(!deliveries.destinations[1].events.contains("session.opened"))
    #expect(try Set(deliveries.senders().keys.map(\.rawValue)) == ["webhook:erp", "apns"])
  }

  @Test func `a changed APNs key is read again, and a damaged one leaves the old key in use`() async throws {
    let key = try write(
      PEM.text("PRIVATE KEY", SigningKey.generate(.es256, random: .system).pkcs8.exposedBytes), to: "key.p8")
    let deliveries = try file(
      #"{"apns": {"keyFile": "\#(key)", "keyId": "ABC1234567", "teamId": "TEAM123456", "topic": "app.raxx.ios"}}"#)
    _ = try deliveries.senders()
    #expect(await deliveries.reload() == ["now using the APNs key in \(key)"])
    try OutputFile.write(Array("damaged".utf8), to: key, isSecret: true)
    let lines = await deliveries.reload()
    #expect(lines.count == 1 && lines[0].hasPrefix("still using the old APNs key: "))
  }

  @Test(arguments: [
    "", "[]", #"{"webhook": []}"#, #"{"webhooks": {}}"#, #"{"webhooks": [{}]}"#,
    #"{"webhooks": [{"name": "A", "url": "https://a.example", "secretFiles": ["x"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "http://a.example", "secretFiles": ["x"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": []}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "event": ["*"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "events": ["*.a"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "events": []}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "events": ["acount.*"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "resolve": ["x"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "resolve": ["a.example:0:192.0.2.1"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "resolve": ["a.example:443:b"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"], "allowedAddresses": ["10.0.0.1/8"]}]}"#,
    #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["x"]}, {"name": "a", "url": "https://a.example", "secretFiles": ["x"]}]}"#,
    #"{"apns": {"keyFile": "k"}}"#, #"{"fcm": {}}"#,
    #"{"apns": {"keyFile": "k", "keyId": "a", "teamId": "b", "topic": "c", "environment": "test"}}"#,
  ])
  func `a malformed file is refused when the settings are read`(_ json: String) {
    let error = #expect(throws: CommandFailure.self) { try file(json) }
    #expect(error?.message.contains("deliveries.json") == true)
  }

  @Test func `secrets that other users can read are refused`() throws {
    let secret = "\(folder.path)/open.secret"
    try File.write(Array("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8), to: secret)
    let deliveries = try file(
      #"{"webhooks": [{"name": "a", "url": "https://a.example", "secretFiles": ["\#(secret)"]}]}"#)
    let error = #expect(throws: CommandFailure.self) { _ = try deliveries.senders() }
    #expect(error?.message.contains("can be read by other users") == true)
  }
}
