// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyDelivery
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem

/// The configured destinations of notices, and their senders.
struct Deliveries: Sendable {
  private let mail: MailDelivery?
  private let file: DeliveryFile?
  private let keys = Locked(PushKeys())

  /// The keys in use, which ``reload()`` reads again.
  private struct PushKeys {
    var apns: APNsKey?
    var fcm: FCMSender?
  }

  init(mail: MailDelivery?, file: DeliveryFile?) {
    self.mail = mail
    self.file = file
  }

  /// Whether any destination is configured.
  var isEmpty: Bool { destinations.isEmpty }

  /// The destinations, each with the events that it wants.
  var destinations: [NoticeDestination] {
    var list: [NoticeDestination] = []
    if let mail { list.append(NoticeDestination(Self.mailName, events: mail.events)) }
    for webhook in file?.webhooks ?? [] { list.append(NoticeDestination(webhook.destination, events: webhook.events)) }
    if let apns = file?.apns { list.append(NoticeDestination(Self.apnsName, events: apns.events)) }
    if let fcm = file?.fcm { list.append(NoticeDestination(Self.fcmName, events: fcm.events)) }
    return list
  }

  /// Whether mail can be sent.
  var hasMail: Bool { mail != nil }

  private static let mailName = DestinationName(rawValue: "mail")
  private static let apnsName = DestinationName(rawValue: "apns")
  private static let fcmName = DestinationName(rawValue: "fcm")

  /// Returns the sender of mail, or nil without a mail server.
  func mailSender() throws(CommandFailure) -> SMTPSender? { try mail?.sender() }

  /// Reads keys, secrets and passwords, and returns a sender for each destination.
  func senders() throws(CommandFailure) -> [DestinationName: any NoticeSender] {
    var senders: [DestinationName: any NoticeSender] = [:]
    if let sender = try mailSender() { senders[Self.mailName] = sender }
    for webhook in file?.webhooks ?? [] { senders[webhook.destination] = try webhook.sender() }
    var keys = PushKeys()
    if let apns = file?.apns {
      let key = try apns.key()
      senders[Self.apnsName] = try apns.sender(key)
      keys.apns = key
    }
    if let fcm = file?.fcm {
      let sender = try fcm.sender()
      senders[Self.fcmName] = sender
      keys.fcm = sender
    }
    self.keys.withLock { (current) in current = keys }
    return senders
  }

  /// Reads the keys of push services again, as requested by SIGHUP. A file that cannot be used leaves the old key in use.
  /// Blocks on the disk.
  ///
  /// - Returns: One line for each push service, for the console.
  func reload() async -> [String] {
    let keys = keys.withLock { (keys) in keys }
    var lines: [String] = []
    if let key = keys.apns, let apns = file?.apns {
      do throws(CommandFailure) {
        try apns.replaceKey(of: key)
        lines.append("now using the APNs key in \(apns.keyFile.escapedForTerminal)")
      } catch {
        lines.append("still using the old APNs key: \(error.message)")
      }
    }
    if let sender = keys.fcm, let fcm = file?.fcm {
      do throws(CommandFailure) {
        await sender.replace(try fcm.account())
        lines.append("now using the service account in \(fcm.accountFile.escapedForTerminal)")
      } catch {
        lines.append("still using the old service account: \(error.message)")
      }
    }
    return lines
  }
}

extension Deliveries {
  /// The destinations for display, in the syntax of settings.
  var rows: [[String]] {
    let others = destinations.filter { $0.name != Self.mailName }
    return [
      ["mail", mail.map { "\($0.server.name.escapedForTerminal), from \($0.from.address)" } ?? "none"],
      ["mail templates", mail.map { $0.folder?.escapedForTerminal ?? "embedded" } ?? "none"],
      [
        "deliveries",
        others.isEmpty
          ? "none"
          : others.map { "\($0.name) (\($0.events.joined(separator: " ")))".escapedForTerminal }.joined(
            separator: ", "),
      ],
    ]
  }
}

/// Reads a file with a secret and refuses one that other users can read.
enum DeliverySecret {
  // 64 KiB [the largest is a service account with 3 KB]
  private static let limit = 1 << 16

  static func read(_ path: String) throws(CommandFailure) -> SecretBytes {
    if let status = try? FileStatus(ofFileAt: path), status.permissions & 0o007 != 0 {
      throw .inputOutput(
        "\(path.quotedForTerminal) can be read by other users", hint: "chmod o-rwx \(path.escapedForTerminal)")
    }
    return SecretBytes(try InputFile.bytes(path, limit: limit))
  }
}
