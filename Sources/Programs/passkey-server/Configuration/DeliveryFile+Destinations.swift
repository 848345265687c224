// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyDelivery
internal import PasskeyFormats
internal import PasskeyService

/// A webhook of the file.
struct WebhookDelivery: Sendable {
  let destination: DestinationName
  let events: [String]
  private let url: String
  private let secretFiles: [String]
  private let settings: DeliverySettings
  private let refused: @Sendable (DeliveryError) -> CommandFailure

  init(_ value: JSONValue, at place: String, in path: String) throws(CommandFailure) {
    let names: Set = [
      "name", "url", "secretFiles", "events", "allowedAddresses", "certificateAuthority", "resolve",
    ]
    let reader = try DeliveryMembers(value, at: place, in: path, allowing: names)
    let name = try reader.require("name")
    let isName =
      name.utf8.count <= 40
      && name.utf8.allSatisfy { (byte) in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || byte == UInt8(ascii: "-")
      }
    guard isName else { throw reader.failure("\(place).name", "use at most 40 of a-z, 0-9 and -") }
    destination = DestinationName(rawValue: "webhook:\(name)")
    url = try reader.require("url")
    secretFiles = try reader.texts("secretFiles")
    guard 1...2 ~= secretFiles.count else {
      throw reader.failure("\(place).secretFiles", "name one file, or two while the receiver changes its secret")
    }
    events = try reader.events(["*"])
    settings = try reader.settings()
    let quoted = path.quotedForTerminal
    refused = { (error) in
      .usage("\(quoted) has an invalid value in \(place)", hint: error.detail ?? "\(error)")
    }
    // Checks the URL before any secret is read.
    _ = try makeSender([WebhookDelivery.placeholder()])
  }

  /// Reads the secrets and returns the sender.
  func sender() throws(CommandFailure) -> WebhookSender {
    var secrets: [WebhookSecret] = []
    for file in secretFiles {
      let text = try DeliverySecret.read(file)
      do throws(DeliveryError) {
        secrets.append(try WebhookSecret(text))
      } catch {
        throw .inputOutput("\(file.quotedForTerminal) is not a webhook secret", hint: error.detail)
      }
    }
    return try makeSender(secrets)
  }

  private func makeSender(_ secrets: [WebhookSecret]) throws(CommandFailure) -> WebhookSender {
    try mapError(
      WebhookSender(url: url, secrets: secrets, settings: settings, now: { Clock.now }), refused)
  }

  private static func placeholder() throws(CommandFailure) -> WebhookSecret {
    do throws(DeliveryError) {
      return try WebhookSecret(SecretBytes(utf8: "whsec_\(Base64.encode([UInt8](repeating: 0, count: 32)))"))
    } catch {
      throw .inputOutput("\(error)")
    }
  }
}

/// Apple's push service in the file.
struct APNsDelivery: Sendable {
  let keyFile: String
  let events: [String]
  private let keyID: String
  private let teamID: String
  private let topic: String
  private let environment: APNsSender.Environment
  private let url: String?
  private let texts: [String: PushText]
  private let settings: DeliverySettings
  private let path: String

  init(_ value: JSONValue, in path: String) throws(CommandFailure) {
    let names: Set = [
      "keyFile", "keyId", "teamId", "topic", "environment", "events", "texts", "url", "allowedAddresses",
      "certificateAuthority", "resolve",
    ]
    let reader = try DeliveryMembers(value, at: "apns", in: path, allowing: names)
    keyFile = try reader.require("keyFile")
    keyID = try reader.require("keyId")
    teamID = try reader.require("teamId")
    topic = try reader.require("topic")
    guard let environment = APNsSender.Environment(rawValue: try reader.text("environment") ?? "production") else {
      throw reader.failure("apns.environment", "use production or sandbox")
    }
    self.environment = environment
    texts = try reader.pushTexts()
    events = try reader.events(texts.keys.sorted())
    url = try reader.text("url")
    settings = try reader.settings()
    self.path = path
  }

  func key() throws(CommandFailure) -> APNsKey {
    let pem = try DeliverySecret.read(keyFile)
    return try mapError(APNsKey(keyID: keyID, teamID: teamID, pem: pem), unusable)
  }

  func replaceKey(of key: APNsKey) throws(CommandFailure) {
    let pem = try DeliverySecret.read(keyFile)
    try mapError(key.replace(pem: pem), unusable)
  }

  func sender(_ key: APNsKey) throws(CommandFailure) -> APNsSender {
    try mapError(
      APNsSender(
        key: key, topic: topic, environment: environment, texts: texts, url: url, settings: settings,
        now: { Clock.now }), unusable)
  }

  private func unusable(_ error: DeliveryError) -> CommandFailure {
    error.code == .keyInvalid
      ? .inputOutput("\(keyFile.quotedForTerminal) is not an APNs key", hint: error.detail)
      : .usage("\(path.quotedForTerminal) has an invalid value in apns", hint: error.detail ?? "\(error)")
  }
}

/// Firebase Cloud Messaging in the file.
struct FCMDelivery: Sendable {
  let accountFile: String
  let events: [String]
  private let url: String?
  private let texts: [String: PushText]
  private let settings: DeliverySettings
  private let path: String

  init(_ value: JSONValue, in path: String) throws(CommandFailure) {
    let names: Set = [
      "serviceAccountFile", "events", "texts", "url", "allowedAddresses", "certificateAuthority", "resolve",
    ]
    let reader = try DeliveryMembers(value, at: "fcm", in: path, allowing: names)
    accountFile = try reader.require("serviceAccountFile")
    texts = try reader.pushTexts()
    events = try reader.events(texts.keys.sorted())
    url = try reader.text("url")
    settings = try reader.settings()
    self.path = path
  }

  func account() throws(CommandFailure) -> FCMServiceAccount {
    let json = try DeliverySecret.read(accountFile)
    return try mapError(FCMServiceAccount(json: json)) { (error: DeliveryError) in
      CommandFailure.inputOutput("\(accountFile.quotedForTerminal) is not a service account", hint: error.detail)
    }
  }

  func sender() throws(CommandFailure) -> FCMSender {
    let account = try account()
    do throws(DeliveryError) {
      return try FCMSender(account: account, texts: texts, url: url, settings: settings, now: { Clock.now })
    } catch {
      throw .usage("\(path.quotedForTerminal) has an invalid value in fcm", hint: error.detail ?? "\(error)")
    }
  }
}
