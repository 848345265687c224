// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// The only error type that stores throw. A store throws it only if it fails. Expected states, such as a spent grant,
/// are outcomes and not errors.
public struct StorageError: CodedError {
  /// The cause.
  public let code: Code

  /// The database's message, as text for a log. It never contains a secret or personal data.
  public let detail: String

  /// Creates an error.
  public init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  /// The error codes. Raw values are stable; new codes may be added.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The database is unreachable, or disconnected before anything was written.
    case unavailable = "storage.unavailable"
    /// The database exceeded the time-out. Nothing was written.
    case timedOut = "storage.timed-out"
    /// Concurrent writes prevented the transaction. Nothing was written; retry.
    case contended = "storage.contended"
    /// The database's response was lost, so the transaction may have been committed.
    case outcomeUnknown = "storage.outcome-unknown"
    /// The store is full.
    case full = "storage.full"
    /// The database is read-only: a standby, or a file without write permission.
    case readOnly = "storage.read-only"
    /// The stored data is corrupt.
    case corrupt = "storage.corrupt"
    /// A random unique value already exists.
    case conflict = "storage.conflict"
    /// The database belongs to another application.
    case foreign = "storage.foreign"
    /// A later version wrote the database.
    case schemaNewer = "storage.schema-newer"
    /// An earlier version wrote the database.
    case schemaOlder = "storage.schema-older"
    /// The tables could not be created. Nothing was written.
    case migrationFailed = "storage.migration-failed"
    /// The connection settings are invalid.
    case configurationInvalid = "storage.configuration-invalid"
    /// The isolation level of the embedding server's transaction is not READ COMMITTED. Nothing was written.
    case isolationUnsupported = "storage.isolation-unsupported"
    /// Any other database error.
    case failed = "storage.failed"
  }
}
