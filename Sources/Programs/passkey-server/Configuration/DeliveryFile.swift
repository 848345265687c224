// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyDelivery
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyService

/// The file with webhooks and push services. Unknown members are errors, because a misspelled one would be ignored.
struct DeliveryFile: Sendable {
  var webhooks: [WebhookDelivery] = []
  var apns: APNsDelivery?
  var fcm: FCMDelivery?

  init(path: String, _ text: [UInt8]) throws(CommandFailure) {
    let root: JSONValue
    do throws(WireError) {
      root = try JSON.parse(JSON.withoutByteOrderMark(text), maximumSize: InputFile.maximumByteCount)
    } catch {
      throw .usage("\(path.quotedForTerminal) is not JSON", hint: "\(error)")
    }
    let reader = try DeliveryMembers(root, at: "", in: path, allowing: ["webhooks", "apns", "fcm"])
    for (index, value) in try reader.list("webhooks").enumerated() {
      let webhook = try WebhookDelivery(value, at: "webhooks[\(index)]", in: path)
      guard !webhooks.contains(where: { $0.destination == webhook.destination }) else {
        throw reader.failure("webhooks[\(index)].name", "use each name once")
      }
      webhooks.append(webhook)
    }
    apns = try reader.value("apns").map { (value) throws(CommandFailure) in try APNsDelivery(value, in: path) }
    fcm = try reader.value("fcm").map { (value) throws(CommandFailure) in try FCMDelivery(value, in: path) }
  }
}

/// The members of one object of the file, with errors that name file and member.
struct DeliveryMembers {
  private let object: JSONValue
  private let place: String
  private let path: String

  init(_ value: JSONValue, at place: String, in path: String, allowing names: Set<String>) throws(CommandFailure) {
    object = value
    self.place = place
    self.path = path
    guard let members = try? value.members else { throw failure(place, "use an object") }
    for member in members where !names.contains(member.name) {
      throw failure(name(member.name), "the members are \(names.sorted().joined(separator: ", "))")
    }
  }

  func failure(_ place: String, _ hint: String) -> CommandFailure {
    let place = place.isEmpty ? "" : " in \(place.escapedForTerminal)"
    return .usage("\(path.quotedForTerminal) has an invalid value\(place)", hint: hint)
  }

  func name(_ member: String) -> String { place.isEmpty ? member : "\(place).\(member)" }

  func value(_ member: String) throws(CommandFailure) -> JSONValue? { (try? object[member]) ?? nil }

  /// Returns the elements of an array, or none without the member.
  func list(_ member: String) throws(CommandFailure) -> [JSONValue] {
    guard let value = try value(member) else { return [] }
    guard let list = try? value.array else { throw failure(name(member), "use an array") }
    return Array(list)
  }

  func text(_ member: String) throws(CommandFailure) -> String? {
    guard let value = try value(member) else { return nil }
    guard let text = try? value.string, !text.isEmpty else { throw failure(name(member), "use a string") }
    return text
  }

  func require(_ member: String) throws(CommandFailure) -> String {
    guard let text = try text(member) else { throw failure(name(member), "the member is missing") }
    return text
  }

  func texts(_ member: String) throws(CommandFailure) -> [String] {
    var texts: [String] = []
    for value in try list(member) {
      guard let text = try? value.string, !text.isEmpty else { throw failure(name(member), "use an array of strings") }
      texts.append(text)
    }
    return texts
  }

  /// Returns the wanted events: names, areas such as `account.*`, or `*`. Without the member, returns `standard`.
  func events(_ standard: [String]) throws(CommandFailure) -> [String] {
    guard try value("events") != nil else { return standard }
    let events = try texts("events")
    let known = NoticeRule.all.map(\.event) + standard.map { NoticeEvent(rawValue: $0) }
    for event in events {
      let destination = NoticeDestination(DestinationName(rawValue: ""), events: [event])
      guard known.contains(where: destination.wants) else {
        throw failure(
          name("events"),
          "no event matches \(event.quotedForTerminal): use names such as credential.registered, areas such as account.*, or *"
        )
      }
    }
    guard !events.isEmpty else { throw failure(name("events"), "name an event, or omit the member") }
    return events
  }

  /// Returns the settings of connections.
  func settings() throws(CommandFailure) -> DeliverySettings {
    var settings = DeliverySettings()
    settings.certificateAuthority = try text("certificateAuthority")
    for range in try texts("allowedAddresses") {
      try mapError(settings.allowPrivateAddresses(range)) { (error: DeliveryError) in
        failure(name("allowedAddresses"), error.detail ?? "\(error)")
      }
    }
    settings.resolve = try texts("resolve")
    for entry in settings.resolve where !Self.isResolution(entry) {
      throw failure(name("resolve"), "write HOST:PORT:ADDRESS, such as hooks.example:443:192.0.2.1")
    }
    return settings
  }

  /// Whether a text has the form `HOST:PORT:ADDRESS[,ADDRESS…]`.
  private static func isResolution(_ text: String) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, let port = UInt16(parts[1]), port != 0 else { return false }
    return parts[2].split(separator: ",", omittingEmptySubsequences: false).allSatisfy { (address) in
      let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
      return IPAddress(isBracketed ? address.dropFirst().dropLast() : address) != nil
    }
  }

  /// Returns the texts of push messages: the standard ones, and those of the file.
  func pushTexts() throws(CommandFailure) -> [String: PushText] {
    var texts = PushText.standard
    guard let value = try value("texts") else { return texts }
    guard let members = try? value.members else { throw failure(name("texts"), "use an object") }
    for member in members {
      let place = "\(name("texts")).\(member.name)"
      // Null makes the event a background message.
      if member.value.kind == .null {
        texts[member.name] = nil
        continue
      }
      let reader = try DeliveryMembers(member.value, at: place, in: path, allowing: ["title", "body"])
      texts[member.name] = PushText(title: try reader.require("title"), body: try reader.require("body"))
    }
    return texts
  }

  /// Runs a body that can fail because of a value of this object.
  func checking<Value>(_ body: () throws(DeliveryError) -> Value) throws(CommandFailure) -> Value {
    try mapError(body()) { (error: DeliveryError) in failure(place, error.detail ?? "\(error)") }
  }
}
