// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An HTTP archive, which the developer tools of browsers export.
enum HARFile {
  static func messages(in log: JSONValue) throws(WireError) -> [RecordedMessage] {
    var messages: [RecordedMessage] = []
    for entry in try log.require("entries").array.prefix(Recording.maximumMessageCount) {
      let request = try entry.require("request")
      var message = RecordedMessage(
        method: try request.require("method").string,
        target: RecordedMessage.target(of: try request.require("url").string))
      for field in try fields(of: request) {
        message.fields[field.name.lowercased()] = field.value
        if field.name.lowercased() == "cookie" { message.addSentCookies(field.value) }
      }
      message.request = try request["postData"]?.unlessNull?["text"].flatMap { try? $0.string }
        .flatMap(RecordedMessage.body)
      if let response = try entry["response"]?.unlessNull {
        message.status = try response["status"].flatMap { try? $0.integer() }
        for field in try fields(of: response) { message.addResponseField(field.name, field.value) }
        if let content = try response["content"]?.unlessNull, let text = text(content) {
          message.response = RecordedMessage.body(text)
          if message.response == nil { message.page = Array(text.utf8) }
        }
      }
      messages.append(message)
    }
    return messages
  }

  private static func fields(of message: JSONValue) throws(WireError) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    guard let headers = try message["headers"]?.unlessNull else { return fields }
    for field in try headers.array {
      fields.append((try field.require("name").string, try field["value"]?.unlessNull?.string ?? ""))
    }
    return fields
  }

  private static func text(_ content: JSONValue) -> String? {
    guard let text = try? content["text"]?.string else { return nil }
    guard (try? content["encoding"]?.string) == "base64" else { return text }
    return (try? Base64.decodeLeniently(Array(text.utf8))).map { String(decoding: $0, as: UTF8.self) }
  }
}
