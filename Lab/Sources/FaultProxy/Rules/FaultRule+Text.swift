// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension FaultRule {
  /// Parses the text form: `MATCH[ #N]: FAULT`.
  ///
  /// MATCH is `METHOD PATH`, with `*` for any method and at the end of a path, or a word in quotation marks. FAULT is one of
  /// `delay-request TIME`, `cut-request [BYTES]`, `truncate-request BYTES`, `duplicate-request`, `reorder-request`,
  /// `change-request POINTER JSON`, `remove-request POINTER`, the same with `-reply`, or `status CODE`.
  ///
  /// - Throws: `proxy.invalid-rule`.
  package init(_ text: String) throws(FaultProxyError) {
    guard let colon = Self.colon(in: text) else {
      throw FaultProxyError(.invalidRule, "no colon behind the match in \"\(text)\"")
    }
    var place = text[..<colon].trimmed
    var occurrence: Int?
    if let mark = place.lastIndex(of: "#"), mark > place.startIndex, place[place.index(before: mark)] == " " {
      guard let number = Int(place[place.index(after: mark)...]), number >= 1 else {
        throw FaultProxyError(.invalidRule, "\"\(place[mark...])\" is not # with a number from 1")
      }
      occurrence = number
      place = place[..<mark].trimmed
    }
    let match = try Match(place)
    let (direction, action) = try Self.fault(text[text.index(after: colon)...].trimmed)
    self.init(match, occurrence: occurrence, direction, action)
    try check()
  }

  /// The colon before the fault. A path can contain colons, but none that a space follows; a word ends at its quotation mark.
  private static func colon(in text: String) -> String.Index? {
    let isWord = text.hasPrefix("\"")
    let start = isWord ? text.dropFirst().firstIndex(of: "\"") ?? text.startIndex : text.startIndex
    return text[start...].indices.first { (index) in
      text[index] == ":" && text[text.index(after: index)...].first == " "
    }
  }

  private static func fault(_ text: Substring) throws(FaultProxyError) -> (Direction, Action) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard let name = words.first else { throw FaultProxyError(.invalidRule, "no fault behind the colon") }
    let arguments = words.dropFirst().map(String.init)
    if name == "status" {
      guard arguments.count == 1, let code = Int(arguments[0]), 200...599 ~= code else {
        throw FaultProxyError(.invalidRule, "status needs a code from 200 to 599")
      }
      return (.reply, .status(code))
    }
    let parts = name.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let direction = Direction(rawValue: String(parts[1])) else {
      throw unknownFault(name)
    }
    return (direction, try action(named: parts[0], arguments, String(name)))
  }

  private static func action(
    named kind: Substring, _ arguments: [String], _ name: String
  ) throws(FaultProxyError) -> Action {
    func invalid(_ needed: String) -> FaultProxyError {
      FaultProxyError(.invalidRule, "\(name) \(needed)")
    }
    switch (kind, arguments.count) {
    case ("delay", 1):
      guard let duration = Duration(milliseconds: arguments[0]) else {
        throw invalid("needs a time such as 500ms or 2s")
      }
      return .delay(duration)
    case ("cut", 0): return .cut(after: 0)
    case ("cut", 1), ("truncate", 1):
      guard let count = Int(arguments[0]), count >= 0 else { throw invalid("needs a number of bytes") }
      return kind == "cut" ? .cut(after: count) : .truncate(to: count)
    case ("duplicate", 0): return .duplicate
    case ("reorder", 0): return .reorder
    case ("remove", 1): return .change(pointer: try JSONPointer(arguments[0]), value: nil)
    case ("change", 2):
      guard let value = try? JSON.parse(Array(arguments[1].utf8)[...]) else { throw invalid("needs a JSON value") }
      return .change(pointer: try JSONPointer(arguments[0]), value: Array(value.encoded))
    case ("delay", _): throw invalid("needs a time such as 500ms or 2s")
    case ("cut", _), ("truncate", _): throw invalid("needs a number of bytes")
    case ("duplicate", _), ("reorder", _): throw invalid("takes no value")
    case ("remove", _): throw invalid("needs a JSON pointer such as /user/name")
    case ("change", _): throw invalid("needs a JSON pointer such as /user/name and a JSON value")
    default: throw unknownFault(name[...])
    }
  }

  private static func unknownFault(_ name: Substring) -> FaultProxyError {
    FaultProxyError(
      .invalidRule,
      "unknown fault \"\(name)\"; faults are delay, cut, truncate, duplicate, reorder, change and remove, each with "
        + "-request or -reply, and status")
  }

  /// - Throws: `proxy.invalid-rule` if the fault needs the structure of HTTP and the match is a word.
  private func check() throws(FaultProxyError) {
    guard case .word = match else { return }
    switch action {
    case .change, .status, .reorder:
      throw FaultProxyError(.invalidRule, "\(fault) needs a match such as POST /path")
    default: break
    }
  }
}

extension FaultRule.Match {
  fileprivate init(_ text: Substring) throws(FaultProxyError) {
    if text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      self = .word(String(text.dropFirst().dropLast()))
      return
    }
    let words = text.split(separator: " ")
    guard words.count == 2, words[1].hasPrefix("/") || words[1] == "*" else {
      throw FaultProxyError(.invalidRule, "\"\(text)\" is neither METHOD PATH nor a word in quotation marks")
    }
    self = .request(method: words[0] == "*" ? nil : String(words[0]), path: String(words[1]))
  }
}

extension Duration {
  /// Parses `500ms` or `2s`, up to an hour.
  fileprivate init?(milliseconds text: String) {
    let isMilliseconds = text.hasSuffix("ms")
    guard isMilliseconds || text.hasSuffix("s"), let number = Int64(text.dropLast(isMilliseconds ? 2 : 1)),
      0...3_600_000 ~= number, isMilliseconds || number <= 3600
    else { return nil }
    self = isMilliseconds ? .milliseconds(number) : .seconds(number)
  }
}

extension Substring {
  /// The text without spaces at its ends.
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return text
  }
}
