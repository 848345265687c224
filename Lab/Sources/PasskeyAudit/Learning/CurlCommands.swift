// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Commands of curl, as typed in a shell. The lines after a command, up to the next one, are its output: a body in JSON, after the
/// status and the fields if the command has `-i`.
enum CurlCommands {
  static func messages(in text: String) throws(ReportError) -> [RecordedMessage] {
    var messages: [RecordedMessage] = []
    var rest = text.replacing("\r\n", with: "\n")[...]
    while let start = nextCommand(in: rest) {
      rest = rest[start...].dropFirst("curl".count)
      let words = shellWords(&rest)
      let end = nextCommand(in: rest).map { rest[..<$0].lastIndex(of: "\n") ?? $0 } ?? rest.endIndex
      if var message = message(words) {
        addOutput(String(rest[..<end]), to: &message)
        messages.append(message)
      }
      rest = rest[end...]
      guard messages.count < Recording.maximumMessageCount else { break }
    }
    guard !messages.isEmpty else {
      throw ReportError(
        .recordingInvalid, "the text is no HAR file or OpenAPI document and has no curl command with a URL")
    }
    return messages
  }

  /// Returns the place of the next `curl` at the beginning of a line, perhaps after a prompt.
  private static func nextCommand(in text: Substring) -> String.Index? {
    var rest = text
    while !rest.isEmpty {
      let line = rest.prefix { $0 != "\n" }
      let command = line.drop { $0 == " " || $0 == "\t" || $0 == "$" || $0 == "#" || $0 == "%" }
      if command.hasPrefix("curl "), command.startIndex == line.startIndex || line.first != "#" || line.hasPrefix("# ")
      {
        return command.startIndex
      }
      rest = rest[line.endIndex...].dropFirst()
    }
    return nil
  }

  /// Reads words as a POSIX shell does, up to the end of the command: quotation marks, backslashes and continued lines.
  private static func shellWords(_ rest: inout Substring) -> [String] {
    var words: [String] = []
    var word: String?
    while let character = rest.popFirst() {
      switch character {
      case "\n", ";", "|", "&", ">":
        if character == ">" || character == "&" || character == "|" {
          rest = rest.drop { $0 != "\n" }
        }
        return words + (word.map { [$0] } ?? [])
      case " ", "\t":
        if let finished = word { words.append(finished) }
        word = nil
      case "\\":
        let next = rest.popFirst()
        if next != "\n" { word = (word ?? "") + (next.map { String($0) } ?? "") }
      case "'":
        let quoted = rest.prefix { $0 != "'" }
        word = (word ?? "") + quoted
        rest = rest[quoted.endIndex...].dropFirst()
      case "\"":
        word = (word ?? "") + doublyQuoted(&rest)
      case "$" where rest.first == "'":
        rest = rest.dropFirst()
        word = (word ?? "") + escaped(&rest)
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  private static func doublyQuoted(_ rest: inout Substring) -> String {
    var text = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let next = rest.first, "\"\\$`\n".contains(next) {
        rest = rest.dropFirst()
        if next != "\n" { text.append(next) }
      } else {
        text.append(character)
      }
    }
    return text
  }

  /// Reads `$'…'`, which browsers write for text with quotation marks: `\'`, `\n`, `\u0021` and other escapes.
  private static func escaped(_ rest: inout Substring) -> String {
    var text = ""
    while let character = rest.popFirst(), character != "'" {
      guard character == "\\", let next = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch next {
      case "n": text += "\n"
      case "r": text += "\r"
      case "t": text += "\t"
      case "u":
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) { text.unicodeScalars.append(scalar) }
      default: text.append(next)
      }
    }
    return text
  }

  // Options of curl with a value that do not matter here.
  private static let optionsWithValue: Set<String> = [
    "-o", "--output", "-A", "--user-agent", "-e", "--referer", "-m", "--max-time", "--connect-timeout", "--cacert",
    "--resolve",
    "-c", "--cookie-jar", "-w", "--write-out", "-x", "--proxy", "--connect-to", "-E", "--cert", "--key", "--retry",
  ]

  private static func message(_ words: [String]) -> RecordedMessage? {
    var message = RecordedMessage(method: "", target: "")
    var data: [String] = []
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "-X", "--request": message.method = words.popFirst() ?? ""
      case "-H", "--header":
        let field = words.popFirst() ?? ""
        let name = field.prefix { $0 != ":" }
        message.fields[name.lowercased()] = String(field.dropFirst(name.count + 1).drop { $0 == " " })
        if name.lowercased() == "cookie" { message.addSentCookies(String(field.dropFirst(name.count + 1))) }
      case "-b", "--cookie":
        message.addSentCookies(words.popFirst() ?? "")
        message.fields["cookie"] = ""
      case "--oauth2-bearer", "-u", "--user":
        message.fields["authorization"] = words.popFirst() ?? ""
      case "-d", "--data", "--data-raw", "--data-ascii", "--data-binary", "--json": data.append(words.popFirst() ?? "")
      case "--url": message.target = RecordedMessage.target(of: words.popFirst() ?? "")
      case _ where optionsWithValue.contains(word): _ = words.popFirst()
      case _ where word.hasPrefix("-X") && word.count > 2: message.method = String(word.dropFirst(2))
      case _ where word.hasPrefix("-"): continue
      default: message.target = RecordedMessage.target(of: word)
      }
    }
    guard !message.target.isEmpty else { return nil }
    if message.method.isEmpty { message.method = data.isEmpty ? "GET" : "POST" }
    message.request = data.isEmpty ? nil : RecordedMessage.body(data.joined(separator: "&"))
    return message
  }

  private static func addOutput(_ output: String, to message: inout RecordedMessage) {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false)[...]
    lines = lines.drop { $0.isEmpty }
    if let first = lines.first, first.hasPrefix("HTTP/") {
      message.status = first.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { message.addResponseField(String(parts[0]), String(parts[1].drop { $0 == " " })) }
      }
      lines = lines.drop { !$0.isEmpty }
    }
    let text = lines.joined(separator: "\n")
    // A prompt without a command may follow the body.
    let end = text.lastIndex { $0 == "}" || $0 == "]" }
    message.response = end.flatMap { RecordedMessage.body(String(text[...$0])) }
    if message.response == nil, text.contains("<") { message.page = Array(text.utf8) }
  }
}
