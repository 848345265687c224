// SPDX-License-Identifier: Apache-2.0

import Foundation
import PasskeyCrypto
import PasskeyDelivery
import PasskeyFormats
import PasskeyService
import WebAuthnTypes

// Sends notices as a JSON document on standard input describes, and prints the result of each as a line of JSON. The
// interoperability tests of deliveries run it against other projects' servers.

/// The description of one run.
struct Probe: Decodable {
  var sender: String
  var url: String?
  var secrets: [String]?
  var allowed: [String]?
  var authority: String?
  var resolve: [String]?
  var connectSeconds: Double?
  var totalSeconds: Double?
  var keyFile: String?
  var otherKeyFile: String?
  var accountFile: String?
  var password: String?
  var from: String?
  var templates: String?
  /// The time of the first notice, in seconds since 1970; the present without it.
  var now: Int64?
  var notices: [Item]

  struct Item: Decodable {
    var event: String
    var id: String
    var data: String?
    var token: String?
    var address: String?
    var code: String?
    /// Seconds to add to the sender's clock before this notice.
    var later: Int64?
    /// Whether to read the second key before this notice.
    var changesKey: Bool?
    /// Whether to send this notice at the same time as the next ones.
    var isConcurrent: Bool?
  }
}

final class ProbeClock: @unchecked Sendable {  // Changed only while no notice is being sent.
  var offset: Int64 = 0
  let start: Int64?

  init(_ start: Int64?) { self.start = start }

  var now: UnixTime {
    UnixTime(secondsSince1970: (start ?? Int64(Date().timeIntervalSince1970)) + offset)
  }
}

func secret(file path: String) throws -> SecretBytes { SecretBytes([UInt8](try Data(contentsOf: URL(filePath: path)))) }

let probe = try JSONDecoder().decode(Probe.self, from: FileHandle.standardInput.readToEnd() ?? Data())
let clock = ProbeClock(probe.now)
var settings = DeliverySettings()
settings.certificateAuthority = probe.authority
settings.resolve = probe.resolve ?? []
if let seconds = probe.connectSeconds { settings.connectTimeout = .seconds(seconds) }
if let seconds = probe.totalSeconds { settings.totalTimeout = .seconds(seconds) }
for range in probe.allowed ?? [] { try settings.allowPrivateAddresses(range) }

let sender: any NoticeSender
var key: APNsKey?
switch probe.sender {
case "webhook":
  sender = try WebhookSender(
    url: probe.url ?? "", secrets: try (probe.secrets ?? []).map { try WebhookSecret(SecretBytes(utf8: $0)) },
    settings: settings, now: { clock.now })
case "apns":
  let made = try APNsKey(keyID: "KEY1234567", teamID: "TEAM123456", pem: try secret(file: probe.keyFile ?? ""))
  key = made
  sender = try APNsSender(
    key: made, topic: "app.raxx.ios", environment: .sandbox, url: probe.url, settings: settings, now: { clock.now })
case "fcm":
  sender = try FCMSender(
    account: try FCMServiceAccount(json: try secret(file: probe.accountFile ?? "")), url: probe.url, settings: settings,
    now: { clock.now })
default:
  sender = SMTPSender(
    server: try SMTPServer(probe.url ?? "", password: probe.password.map { SecretBytes(utf8: $0) }),
    from: try Mailbox(probe.from ?? "Raxx <no-reply@raxx.app>"),
    templates: try probe.templates.map { try MailTemplates(folder: $0) } ?? MailTemplates(), service: "Raxx & Töchter",
    domain: "raxx.app", certificateAuthority: probe.authority, now: { clock.now })
}

func deliver(_ item: Probe.Item) async throws -> DeliveryResult {
  let id = Array(Data(base64Encoded: item.id) ?? Data())
  let user = try UserHandle([1, 2, 3])
  let notice = Notice(
    id: NoticeID(unchecked: id), event: NoticeEvent(rawValue: item.event), account: user, time: clock.now,
    data: Array((item.data ?? "{}").utf8))
  let recipient: NoticeRecipient =
    if let token = item.token {
      .device(
        Device(
          id: Device.ID(unchecked: id), user: user, service: probe.sender == "fcm" ? .fcm : .apns, token: token,
          created: UnixTime(secondsSince1970: 1_700_000_000)))
    } else if let address = item.address {
      .mail(try EmailAddress(address), account: nil, code: item.code.map { MailedCode($0, expiry: clock.now) })
    } else {
      .endpoint
    }
  return await sender.send(OutgoingNotice(notice, to: recipient))
}

func show(_ result: DeliveryResult, _ id: String) {
  let line = JSON.writeObject { (object: inout JSONObjectWriter) in
    object.write("id", id)
    switch result {
    case .delivered: object.write("result", "delivered")
    case .gone: object.write("result", "gone")
    case .rejected(let reason):
      object.write("result", "rejected")
      object.write("reason", reason)
    case .retry(let after, let reason):
      object.write("result", "retry")
      object.write("reason", reason)
      if let after { object.write("after", .integer(after.components.seconds)) }
    }
  }
  FileHandle.standardOutput.write(Data(line + [UInt8(ascii: "\n")]))
}

var batch: [Probe.Item] = []
for item in probe.notices {
  clock.offset += item.later ?? 0
  if item.changesKey == true { try key?.replace(pem: try secret(file: probe.otherKeyFile ?? "")) }
  batch.append(item)
  if item.isConcurrent == true { continue }
  try await withThrowingTaskGroup(of: (DeliveryResult, String).self) { (group) in
    for item in batch { group.addTask { (try await deliver(item), item.id) } }
    for try await (result, id) in group { show(result, id) }
  }
  batch = []
}
