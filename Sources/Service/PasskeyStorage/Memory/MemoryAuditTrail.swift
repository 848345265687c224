// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyService
internal import WebAuthnTypes

/// The audit trail, and the outbox that its records feed. Record number n has index n − 1.
struct MemoryAuditTrail {
  private var entries: [AuditEntry] = []
  private var places: [UserHandle: [Int]] = [:]
  private var placesByPerson: [UserHandle: [Int]] = [:]
  private(set) var end = AuditEnd.new
  private var forgotten = 0
  var log = MemoryLogState()
  var outbox = MemoryOutbox()

  /// The number of records.
  var count: Int { entries.count }

  mutating func seal(_ drafts: [AuditDraft]) {
    for draft in drafts {
      let entry = log.logs.isEmpty ? end.append(draft) : draft.logged(as: Int64(count + 1))
      for handle in Set([draft.actor, draft.account].compactMap { $0 }) {
        places[handle, default: []].append(entries.count)
      }
      for person in Set(draft.personalDetails.compactMap(\.person)) {
        placesByPerson[person, default: []].append(entries.count)
      }
      entries.append(entry)
      outbox.enqueue(draft.routedNotices(of: entry.record))
    }
  }

  mutating func setSeal(_ seal: AuditEnd.Seal) {
    end.seal = seal
  }

  func entries(after sequence: Int64, of account: UserHandle?, limit: Int) -> [AuditEntry] {
    let start = Int(clamping: max(0, sequence))
    guard let account else { return Array(entries.dropFirst(start).prefix(limit)) }
    return (places[account] ?? []).lazy.filter { $0 >= start }.prefix(limit).map { entries[$0] }
  }

  /// Deletes the personal details about one person.
  mutating func forget(_ person: UserHandle) {
    for place in placesByPerson.removeValue(forKey: person) ?? [] {
      entries[place].personalDetails.removeAll { $0.person == person }
    }
  }

  /// Deletes all personal details recorded before `time`, in at most `limit` records. Returns the number of records.
  mutating func forget(before time: UnixTime, limit: Int) -> Int {
    var count = 0
    while forgotten < entries.count, count < limit, entries[forgotten].record.time < time {
      if !entries[forgotten].personalDetails.isEmpty {
        entries[forgotten].personalDetails = []
        count += 1
      }
      forgotten += 1
    }
    return count
  }
}
