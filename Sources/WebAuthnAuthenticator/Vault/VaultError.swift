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

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    case missing = "vault.missing"
    case exists = "vault.exists"
    case foreign = "vault.foreign"
    case newerVersion = "vault.newer-version"
    case truncated = "vault.truncated"
    case damaged = "vault.damaged"
    case wrongPassphrase = "vault.wrong-passphrase"
    case unreasonableCost = "vault.unreasonable-cost"
    case tooLarge = "vault.too-large"
    case unreadable = "vault.unreadable"
    case unwritable = "vault.unwritable"
    case noSpace = "vault.no-space"
    case cryptographyFailed = "vault.cryptography-failed"
  }
}

extension VaultError: CustomStringConvertible {
  /// The code, the file and what was at fault, for a log line.
  public var description: String { "\(code.rawValue): \(path)" + (detail.map { ": \($0)" } ?? "") }
}
