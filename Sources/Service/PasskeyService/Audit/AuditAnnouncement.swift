// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTransparencyLog

extension AuditLogReading {
  /// Whether a checkpoint is to be announced now: it is not announced yet, and a minute has passed since another one was.
  func isAnnouncementDue(of log: AuditLog, size: UInt64, at time: UnixTime) throws(ServiceError) -> Bool {
    let announced = ObservedCheckpoint.announced(epoch: log.epoch, size: size)
    guard try stored(observedCheckpoint(by: announced.observer)) != announced else { return false }
    guard let last = try stored(lastAnnouncement()) else { return true }
    // An announcement of the future comes from a clock that was wrong.
    return last > time || time >= last + AuditAnnouncement.interval
  }
}

extension AuditLogWriting {
  /// Announces a checkpoint to destinations of the outbox, at most one a minute. The store keeps the time and the last
  /// announced checkpoint, so several servers announce no more than one.
  func announce(
    _ note: SignedNote, of log: AuditLog, size: UInt64, to destinations: [DestinationName], at time: UnixTime
  ) throws(ServiceError) {
    guard !destinations.isEmpty, try isAnnouncementDue(of: log, size: size, at: time) else { return }
    let notice = Notice.checkpoint(note, of: log, size: size, at: time)
    try stored(announce([RoutedNotice(notice, to: destinations)], at: time))
    try stored(write(.announced(epoch: log.epoch, size: size)))
  }
}

extension ObservedCheckpoint {
  /// The checkpoint that was announced last.
  fileprivate static func announced(epoch: Int64, size: UInt64) -> Self {
    Self(observer: NoticeEvent.auditCheckpoint.rawValue, epoch: epoch, size: size)
  }
}

/// The limits of announcements.
private enum AuditAnnouncement {
  // 60 s [some 500 kB a day for a receiver]
  static let interval = Duration.seconds(60)
}

extension Notice {
  /// Creates the notice of a checkpoint. Notices of one checkpoint have the same ID.
  static func checkpoint(_ note: SignedNote, of log: AuditLog, size: UInt64, at time: UnixTime) -> Notice {
    let data = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write(NoticeMember.origin.name, log.origin)
      object.write(NoticeMember.size.name, .integer(Int64(clamping: size)))
      object.write(NoticeMember.checkpoint.name, String(decoding: note.bytes, as: UTF8.self))
    }
    return Notice(
      id: NoticeID(of: .auditCheckpoint, Array("\(log.origin) \(size)".utf8)), event: .auditCheckpoint, account: nil,
      time: time, data: data)
  }
}
