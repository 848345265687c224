// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The progress of checkpoints of the write-ahead log, and the next one to begin.
///
/// A checkpoint copies pages to the file and fsyncs it. While the disk writes them, the fsync of the next commit waits. So
/// the pages are copied often, in the background. The log begins again at its start only after a checkpoint that ends
/// with its last page, which no write may follow: the writer does that itself, and all writes wait. So little
/// should remain by then.
struct CheckpointProgress {
  /// The next checkpoint.
  enum Step: Hashable {
    case none
    case inBackground
    case here
  }

  /// Whether a checkpoint runs in the background.
  var isRunning = false

  /// The length of the log when the last checkpoint began.
  private var begun: Int32 = 0

  /// The length from which on the log is to begin again.
  private var end = pageLimit

  /// The checkpoints since then.
  private var roundCount = 0

  // 2,048 pages or 8 MiB [a disk that writes 40,000 random pages a second takes 50 ms]
  static let portion: Int32 = 2_048

  // 12,288 pages or 48 MiB, some thousand sign-ins [beginning again makes all writes wait for two fsyncs]
  static let pageLimit: Int32 = 12_288

  // 64 pages [two fsyncs take longer]
  static let remainderLimit: Int32 = 64

  // 5 rounds [on a disk no faster than the writers, checkpoints would never catch up]
  static let maximumRoundCount = 5

  /// Returns the checkpoint to begin when the log has this length.
  mutating func next(at pageCount: Int32) -> Step {
    guard !isRunning else { return .none }
    if pageCount < begun { self = CheckpointProgress() }
    let remainder = pageCount - begun
    if pageCount >= end, remainder <= Self.remainderLimit || roundCount >= Self.maximumRoundCount {
      (begun, roundCount) = (pageCount, 0)
      // A reader of an old snapshot keeps the log from beginning again.
      end = pageCount + Self.portion
      return .here
    }
    guard remainder >= Self.portion || pageCount >= end else { return .none }
    if pageCount >= end { roundCount += 1 }
    (begun, isRunning) = (pageCount, true)
    return .inBackground
  }
}
