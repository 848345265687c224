// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The findings that the owner of a server accepts, each with a reason and a last day.
///
/// ```json
/// {"accepted": [{"id": "http.server-version", "reason": "The proxy removes it.", "until": "2027-03-31"}]}
/// ```
package struct Baseline: Hashable, Sendable {
  package var entries: [Entry] = []

  /// One accepted finding.
  package struct Entry: Hashable, Sendable {
    /// The id of the check.
    package let id: String
    package let reason: String
    /// The last day of the acceptance, as `2027-03-31`, in UTC.
    package let lastDay: String
    /// The first second after the last day.
    fileprivate let end: UnixTime

    /// Whether the last day has passed.
    package func isExpired(at now: UnixTime) -> Bool { now >= end }
  }

  /// Creates an empty baseline.
  package init() {}

  /// 1 MiB  [a long reason for each check has 200 KiB]
  package static let maximumByteCount = 1 << 20

  /// Reads a baseline.
  ///
  /// - Throws: `report.baseline-invalid` if a member is missing, misspelled or malformed, an id occurs twice or is not among `ids`.
  package init(json text: Bytes, ids: Set<String>) throws(ReportError) {
    do throws(WireError) {
      let document = try JSON.parse(text, maximumSize: Self.maximumByteCount)
      if let stray = try document.members.first(where: { $0.name != "accepted" }) {
        throw WireError(.jsonMissingMember, at: stray.nameOffset)
      }
      entries = try document.require("accepted").elements { (item) throws(WireError) in try Entry(item) }
    } catch {
      throw ReportError(.baselineInvalid, "\(error)")
    }
    var known: Set<String> = []
    for entry in entries {
      guard ids.contains(entry.id) else { throw ReportError(.baselineInvalid, "there is no check \(entry.id)") }
      guard known.insert(entry.id).inserted else { throw ReportError(.baselineInvalid, "\(entry.id) occurs twice") }
      guard !entry.reason.isEmpty else { throw ReportError(.baselineInvalid, "\(entry.id) has no reason") }
    }
  }
}

extension Baseline {
  // 90 days  [a quarter, after which someone looks again]
  private static let acceptedSeconds: Int64 = 90 * 86_400

  /// Returns a baseline that accepts every failure of a report. Acceptances that are still needed stay as they are; the
  /// others get a reason to replace, and end after 90 days.
  package static func text(accepting judged: JudgedReport) -> [UInt8] {
    let lastDay = (judged.now + .seconds(acceptedSeconds)).description.prefix { $0 != "T" }
    let text = JSON.writeObject { (object) in
      object.writeArray("accepted") { (entries) in
        for finding in judged.findings(.fail) + judged.findings(.accepted) {
          let known = judged.acceptance(of: finding)
          entries.writeObject { (entry) in
            entry.write("id", finding.id)
            let found = ReportText.line(finding.detail ?? "")
            entry.write("reason", known?.reason ?? "replace this with your reason; found: \(found)")
            entry.write("until", known?.lastDay ?? String(lastDay))
          }
        }
      }
    }
    guard let value = try? JSON.parse(text, maximumSize: text.count) else { return text }
    return JSON.write(.value(value), .pretty) + [UInt8(ascii: "\n")]
  }
}

extension Baseline.Entry {
  fileprivate init(_ item: JSONValue) throws(WireError) {
    for member in try item.members where !["id", "reason", "until"].contains(member.name) {
      throw WireError(.jsonMissingMember, at: member.nameOffset)
    }
    id = try item.require("id").string
    let reason = try item.require("reason").string.utf8.drop { $0 == UInt8(ascii: " ") }
    self.reason = String(decoding: reason, as: UTF8.self)
    let until = try item.require("until")
    lastDay = try until.string
    end = try mapError(UnixTime(rfc3339: lastDay + "T00:00:00Z") + .seconds(86_400)) { (error: WireError) in
      WireError(error.code, at: until.offset)
    }
  }
}
