// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// What somebody is shown before they confirm a request: method, path, and what the body says where it is JSON.
///
/// It is made of the very bytes that are confirmed and sent, and of nothing else.
struct ActSummary {
  let method: String
  let path: String
  let body: [UInt8]

  // 16 members  [what fits on a screen; a body with more is told to have more]
  private static let maximumMemberCount = 16
  // 60 letters  [a row of a terminal]
  private static let maximumValueLength = 60

  /// A line per fact.
  var rows: [[String]] {
    let first = [[method.escapedForTerminal, path.escapedForTerminal]]
    guard !body.isEmpty else { return first + [["", "without a body"]] }
    guard let members = try? JSON.parse(body[...]).members else {
      return first + [["", "\(body.count) bytes that are no JSON object"]]
    }
    var rows = first
    var count = 0
    for member in members {
      count += 1
      guard count <= Self.maximumMemberCount else { continue }
      rows.append([member.name.escapedForTerminal, Self.text(member.value)])
    }
    if count > Self.maximumMemberCount { rows.append(["", "and \(count - Self.maximumMemberCount) more"]) }
    return rows
  }

  private static func text(_ value: JSONValue) -> String {
    let text = ((try? value.string) ?? String(decoding: value.encoded, as: UTF8.self)).escapedForTerminal
    return text.count <= maximumValueLength ? text : text.prefix(maximumValueLength - 1) + "…"
  }
}
