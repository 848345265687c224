// SPDX-License-Identifier: Apache-2.0

/// An error of opening, reading or writing a vault. It never contains a passphrase or vault contents.
public struct VaultError: Error, Hashable, Sendable {
  /// The error code.
  public let code: Code

  /// The file's path.
  public let path: String

  /// A description of the problem.
  public let detail: String?

  init(_ code: Code, _ path: String, _ detail: String? = nil) {
    self.code = code
    self.path = path
    self.detail = detail
  }

  /// Returns the error for a path without a file.
  public static func missing(_ path: String) -> VaultError { VaultError(.missing, path) }

  /// The error codes. Raw values are stable; codes are only added.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// No vault exists at the path.
    case missing = "vault.missing"
    /// A vault already exists at the path.
    case exists = "vault.exists"
    /// The file is not a vault.
    case foreign = "vault.foreign"
    /// Another version wrote the vault, usually a later one.
    case newerVersion = "vault.newer-version"
    /// The file is truncated.
    case truncated = "vault.truncated"
    /// The file is corrupt.
    case damaged = "vault.damaged"
    /// The passphrase is wrong.
    case wrongPassphrase = "vault.wrong-passphrase"
    /// The scrypt cost parameters exceed the limits.
    case unreasonableCost = "vault.unreasonable-cost"
    /// The vault exceeds the maximum size.
    case tooLarge = "vault.too-large"
    /// The file cannot be read.
    case unreadable = "vault.unreadable"
    /// The file cannot be written.
    case unwritable = "vault.unwritable"
    /// The disk is full.
    case noSpace = "vault.no-space"
    /// The file is older than the last recorded change (see `RollbackGuard`).
    case rolledBack = "vault.rolled-back"
    /// Other users may write to the file.
    case writableByOthers = "vault.writable-by-others"
    /// Sealing or opening the vault failed in libcrypto.
    case cryptographyFailed = "vault.cryptography-failed"
  }
}

extension VaultError: CustomStringConvertible {
  /// The code, the path and the detail, for a log line.
  public var description: String { "\(code.rawValue): \(path)" + (detail.map { ": \($0)" } ?? "") }
}
