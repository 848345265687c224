// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WireFormats

/// What somebody is shown before they confirm a request: where it goes, as whom, what it does, and what the body says.
///
/// It is made of the very bytes that are confirmed and sent, and of nothing else. What is not shown for its length is said to
/// be there, with its size; numbers are never cut, and nothing in the body can look like one of the lines around it.
struct ActSummary {
  let server: String
  /// Whose session it is; nil where the server did not say.
  let user: String?
  let method: String
  let path: String
  let body: [UInt8]
  /// What the command line says that the body is.
  var contentType: String?
  /// Whether every byte of the body is to be shown.
  var showsBody = false

  // 40 members  [what fits on a screen and a half; a body with more is told to have more]
  private static let maximumMemberCount = 40
  // 32 characters  [a name that is longer stands on a line of its own, and moves no value out of sight]
  private static let maximumNameLength = 32

  // 20 lines of 80 columns  [what is above has left the screen by then]
  private static let maximumSeenLength = 1600

  /// A line per fact, and per member of the body. Where the body is long, the facts come again behind it.
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
      ["  user", user?.shownWhole ?? "not known: the server did not say"],
      ["  act", "\(method.escapedForTerminal) \(path.escapedForTerminal)"],
    ]
  }

  private func kind(isJSON: Bool) -> String {
    let type = contentType.map { ", sent as \($0.escapedForTerminal)" } ?? ""
    return (isJSON ? " of JSON" : ", no JSON") + type + (isJSON || showsBody ? "" : ": --show-body shows them")
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
    if !isWhole, !showsBody { lines.append("    not everything is shown: --show-body shows every byte") }
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
