// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WireFormats

/// The summary that the user sees before they confirm a request: server, user, act and body.
///
/// It is derived only from the bytes that are confirmed and sent. Omitted content is reported with its size. Numbers
/// are never shortened, and nothing in the body can imitate the lines around it.
struct ActSummary {
  let server: String
  /// The user of the session; nil if the server did not report it.
  let user: String?
  let method: String
  let path: String
  let body: [UInt8]
  /// The media type from the command line, if given.
  var contentType: String?
  /// Whether to show every byte of the body.
  var showsBody = false

  // 40 members  [about a screen and a half; the rest is counted]
  private static let maximumMemberCount = 40
  // 32 characters  [a longer name gets its own line, so that it cannot push a value out of view]
  private static let maximumNameLength = 32

  // 20 lines of 80 columns  [beyond this, the first lines have scrolled off the screen]
  private static let maximumSeenLength = 1600

  /// One line per fact and per member of the body. After a long body, the facts are repeated.
  var lines: [String] {
    guard !body.isEmpty else { return Self.table(facts + [["  body", "none"]]) }
    let json = try? JSON.parse(body[...], maximumSize: body.count)
    let size = "\(body.count) byte\(body.count == 1 ? "" : "s")\(kind(isJSON: json != nil))"
    let head = Self.table(facts + [["  body", size], ["  sha-256", Hex.encode(Digest.sha256(body[...]))]])
    let content =
      (json.map(memberLines) ?? [])
      + (showsBody ? ["  every byte of the body:"] + BodyText.lines(of: body).map { "  | " + $0 } : [])
    let isLong = content.reduce(0) { (sum, line) in sum + line.unicodeScalars.count } > Self.maximumSeenLength
    return head + content
      + (isLong || content.count > Self.maximumMemberCount ? ["all of this is the body of:"] + head : [])
  }

  private var facts: [[String]] {
    [
      ["  server", server.escapedForTerminal],
      ["  user", user?.shownWhole ?? "unknown: the server did not send its own description"],
      ["  act", "\(method.escapedForTerminal) \(path.escapedForTerminal)"],
    ]
  }

  private func kind(isJSON: Bool) -> String {
    let type = contentType.map { ", sent as \($0.escapedForTerminal)" } ?? ""
    return (isJSON ? " of JSON" : ", not JSON") + type + (isJSON || showsBody ? "" : ": --show-body prints them")
  }

  private func memberLines(_ value: JSONValue) -> [String] {
    let members = ActMember.all(in: value)
    let shown = members.prefix(Self.maximumMemberCount)
    var lines: [String] = []
    let width = shown.map(\.name.count).filter { $0 <= Self.maximumNameLength }.max() ?? 0
    for member in shown {
      if member.name.count > Self.maximumNameLength {
        lines += ["    \(member.name)", "      \(member.text)"]
      } else {
        lines.append("    " + member.name.padded(to: width) + (width > 0 ? "  " : "") + member.text)
      }
    }
    let hidden = members.dropFirst(shown.count)
    if !hidden.isEmpty {
      let size = hidden.reduce(0) { (sum, member) in sum + member.byteCount }
      lines.append("    and \(hidden.count) more member\(hidden.count == 1 ? "" : "s") (\(size) bytes)")
    }
    let isWhole = hidden.isEmpty && !shown.contains(where: \.isCut)
    if !isWhole, !showsBody { lines.append("    some content is hidden: --show-body prints every byte") }
    return lines
  }

  private static func table(_ rows: [[String]]) -> [String] {
    TextTable(rows: rows, width: nil).text.split(separator: "\n").map(String.init)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
