// SPDX-License-Identifier: Apache-2.0

/// Why a store does not do what it was asked. The one error of stores; what a transaction finds is no error, but its
/// outcome.
public struct StorageError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// What the database said, in words for a log; never a secret, and nothing about a person.
  public let detail: String

  /// Makes an error.
  public init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The database cannot be reached, or has gone away before anything was written.
    case unavailable = "storage.unavailable"
    /// The database took longer than it may, and nothing was written.
    case timedOut = "storage.timed-out"
    /// Others were writing all the time, and nothing was written. It can be tried again.
    case contended = "storage.contended"
    /// Nobody knows whether the transaction was committed: the answer was lost.
    case outcomeUnknown = "storage.outcome-unknown"
    /// There is no room left.
    case full = "storage.full"
    /// The database takes no writes: a standby, or a file without permission.
    case readOnly = "storage.read-only"
    /// What is stored is not what was stored.
    case corrupt = "storage.corrupt"
    /// Something that has to be unique, and was drawn at random, is there already.
    case conflict = "storage.conflict"
    /// The database is somebody else's.
    case foreign = "storage.foreign"
    /// The database was written by a later version.
    case schemaNewer = "storage.schema-newer"
    /// The database has to be migrated first.
    case schemaOlder = "storage.schema-older"
    /// A migration failed, and nothing of it was written.
    case migrationFailed = "storage.migration-failed"
    /// The database cannot be opened as it was described.
    case configurationInvalid = "storage.configuration-invalid"
    /// Whatever else the database said.
    case failed = "storage.failed"
  }
}

extension StorageError: CustomStringConvertible {
  /// The code, and what the database said.
  public var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }
}
