// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// The summary that a user sees before they confirm a request: server, user, method, path and body.
///
/// It is derived only from the bytes that are confirmed and sent. Omitted content is reported with its size. Numbers
/// are never shortened, and nothing in the body can imitate the lines around it.
package struct RequestSummary {
  private let server: String
  private let user: String?
  private let method: String
  private let path: String
  private let body: [UInt8]
  private let contentType: String?
  private let showsBody: Bool
  private let bodyOption: String

  /// Creates the summary of a request.
  ///
  /// - Parameters:
  ///   - server: The server's address.
  ///   - user: The user of the session; nil if the server did not report it.
  ///   - method: The method.
  ///   - path: The path, with its query.
  ///   - body: The body.
  ///   - contentType: The media type of the body, if the user chose it.
  ///   - showsBody: Whether to show every byte of the body.
  ///   - bodyOption: The option of the program that shows every byte, for a note about omitted content.
  package init(
    server: String, user: String?, method: String, path: String, body: [UInt8], contentType: String? = nil,
    showsBody: Bool = false, bodyOption: String
  ) {
    self.server = server
    self.user = user
    self.method = method
    self.path = path
    self.body = body
    self.contentType = contentType
    self.showsBody = showsBody
    self.bodyOption = bodyOption
  }

  // 40 members  [about a screen and a half; the rest is counted]
  private static let maximumMemberCount = 40
  // 32 characters  [a longer name gets its own line, so that it cannot push a value out of view]
  private static let maximumNameLength = 32

  // 20 lines of 80 columns  [beyond this, the first lines have scrolled off the screen]
  private static let maximumSeenLength = 1600

  /// One line per fact and per member of the body. After a long body, the facts are repeated.
  package var lines: [String] {
    guard !body.isEmpty else { return Self.table(facts + [("body", "none")]) }
    let json = try? JSON.parse(body, maximumSize: body.count)
    let size = "\(body.count) byte\(body.count == 1 ? "" : "s")\(kind(isJSON: json != nil))"
    let head = Self.table(facts + [("body", size), ("sha-256", Hex.encode(Digest.sha256(body)))])
    let content =
      (json.map(memberLines) ?? [])
      + (showsBody ? ["  every byte of the body:"] + BodyText.lines(of: body).map { "  | " + $0 } : [])
    let isLong = content.reduce(0) { (sum, line) in sum + line.unicodeScalars.count } > Self.maximumSeenLength
    return head + content
      + (isLong || content.count > Self.maximumMemberCount ? ["all of this is the body of:"] + head : [])
  }

  private var facts: [(name: String, value: String)] {
    [
      ("server", server.escapedForTerminal), ("user", user?.unambiguous ?? "unknown: the server did not report it"),
      ("act", "\(method.escapedForTerminal) \(path.escapedForTerminal)"),
    ]
  }

  private func kind(isJSON: Bool) -> String {
    let type = contentType.map { ", sent as \($0.escapedForTerminal)" } ?? ""
    return (isJSON ? " of JSON" : ", not JSON") + type + (isJSON || showsBody ? "" : ": \(bodyOption) prints them")
  }

  private func memberLines(_ value: JSONValue) -> [String] {
    let members = JSONLeaf.all(in: value)
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
    if !isWhole, !showsBody { lines.append("    some content is hidden: \(bodyOption) prints every byte") }
    return lines
  }

  private static func table(_ rows: [(name: String, value: String)]) -> [String] {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { (row) in "  \(row.name.padded(to: width))  \(row.value)" }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
