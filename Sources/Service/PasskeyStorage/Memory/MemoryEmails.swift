// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService
internal import WebAuthnTypes

/// Email ceremonies, and the number of mails of each address.
struct MemoryEmails {
  private var ceremonies: [EmailCeremonyID: EmailCeremony] = [:]
  private var counts: [String: MailCount] = [:]

  private struct MailCount {
    var count: Int
    var end: UnixTime
  }

  subscript(id: EmailCeremonyID) -> EmailCeremony? { ceremonies[id] }

  subscript(token: TokenDigest) -> EmailCeremony? { ceremonies.values.first { $0.token == token } }

  func all(where isSelected: (EmailCeremony) -> Bool) -> [EmailCeremony] { ceremonies.values.filter(isSelected) }

  /// Returns the ceremony unless it has expired.
  func pending(_ id: EmailCeremonyID, at now: UnixTime) -> EmailCeremony? {
    ceremonies[id].flatMap { (ceremony) in now <= ceremony.expiry ? ceremony : nil }
  }

  /// Whether a recovery for the address of a new one has not expired. A decoy suppresses only decoys.
  func hasRecovery(like new: EmailCeremony) -> Bool {
    ceremonies.values.contains { (ceremony) in
      ceremony.purpose == .recovery && ceremony.email == new.email && new.created <= ceremony.expiry
        && (new.isDecoy || !ceremony.isDecoy)
    }
  }

  mutating func insert(_ ceremony: EmailCeremony) throws(StorageError) {
    guard ceremonies[ceremony.id] == nil, self[ceremony.token] == nil else {
      throw StorageError(.conflict, "email ceremony")
    }
    ceremonies[ceremony.id] = ceremony
  }

  mutating func replace(_ ceremony: EmailCeremony) { ceremonies[ceremony.id] = ceremony }

  /// Deletes the selected ceremonies, at most `limit` of them, and returns their number.
  @discardableResult
  mutating func remove(atMost limit: Int = .max, where isSelected: (EmailCeremony) -> Bool) -> Int {
    let removed = ceremonies.values.filter(isSelected).prefix(limit).map(\.id)
    for id in removed { ceremonies[id] = nil }
    return removed.count
  }

  /// Counts a mail. Returns whether the limit allows it.
  mutating func countMail(_ limit: MailLimit?) -> Bool {
    guard let limit else { return true }
    var current =
      counts[limit.key].flatMap { (entry) in limit.time <= entry.end ? entry : nil }
      ?? MailCount(count: 0, end: limit.end)
    current.count += 1
    counts[limit.key] = current
    return current.count <= limit.maximumCount
  }

  /// Deletes at most `limit` counts whose period has ended, and returns their number.
  mutating func removeCounts(before time: UnixTime, atMost limit: Int) -> Int {
    let ended = counts.filter { (_, entry) in entry.end < time }.keys.prefix(limit)
    for key in ended { counts[key] = nil }
    return ended.count
  }
}
