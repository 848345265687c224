// SPDX-License-Identifier: Apache-2.0

/// Why a vault cannot be opened, read or written. It never carries a passphrase or what the vault holds.
public struct VaultError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// The file.
  public let path: String

  /// What was at fault, in words.
  public let detail: String?

  init(_ code: Code, _ path: String, _ detail: String? = nil) {
    self.code = code
    self.path = path
    self.detail = detail
  }

  /// No file is at the path.
  public static func missing(_ path: String) -> VaultError { VaultError(.missing, path) }

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// There is no vault at the path.
    case missing = "vault.missing"
    /// A vault was to be made where there is one.
    case exists = "vault.exists"
    /// The file is no vault.
    case foreign = "vault.foreign"
    /// The vault was written by a later version.
    case newerVersion = "vault.newer-version"
    /// The vault lost its end.
    case truncated = "vault.truncated"
    /// The vault's bytes are not those that were written.
    case damaged = "vault.damaged"
    /// The passphrase is not the vault's.
    case wrongPassphrase = "vault.wrong-passphrase"
    /// The vault asks for more work or memory than any passphrase is worth.
    case unreasonableCost = "vault.unreasonable-cost"
    /// The vault is larger than any that is written.
    case tooLarge = "vault.too-large"
    /// The system does not let the vault be read.
    case unreadable = "vault.unreadable"
    /// The system does not let the vault be written.
    case unwritable = "vault.unwritable"
    /// There is no room on the disk for the vault.
    case noSpace = "vault.no-space"
    /// The vault's file is older than the vault was when it was last used here.
    case rolledBack = "vault.rolled-back"
    /// Other users may write to the vault's file.
    case writableByOthers = "vault.writable-by-others"
    /// The vault cannot be sealed or opened, for a reason that lies in libcrypto.
    case cryptographyFailed = "vault.cryptography-failed"
  }
}

extension VaultError: CustomStringConvertible {
  /// The code, the file and what was at fault, for a log line.
  public var description: String { "\(code.rawValue): \(path)" + (detail.map { ": \($0)" } ?? "") }
}
