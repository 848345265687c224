// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

extension CommandFailure {
  /// Describes a vault error to the user.
  init(_ error: VaultError) {
    self = .vault(error.message, hint: error.hint).coded(error.code.rawValue)
  }

  /// Describes a device error to the user.
  init(_ error: CTAPError) {
    // A vault that fails under its device reports its own error message.
    if error.status == .other, let detail = error.detail {
      self = .vault(detail.escapedForTerminal)
    } else {
      self = .refused((error.detail ?? "the device answers \(error.status)").escapedForTerminal)
    }
  }
}

extension VaultError {
  fileprivate var message: String {
    let name = path.quotedForTerminal
    let words = (detail.map { ": \($0)" } ?? "").escapedForTerminal
    return switch code {
    case .missing: "there is no vault at \(name)"
    case .exists: "a file exists at \(name)"
    case .foreign: "\(name) is not a vault\(words)"
    case .newerVersion: "\(name) was written by another version of passkey"
    case .truncated: "the end of the vault \(name) is missing\(words)"
    case .damaged: "the vault \(name) is damaged\(words)"
    case .wrongPassphrase: "wrong passphrase for \(name)"
    case .unreasonableCost: "the vault \(name) requires more memory than allowed\(words)"
    case .tooLarge: "\(name) is too large for a vault"
    case .unreadable: "cannot read the vault \(name)\(words)"
    case .unwritable: "cannot write the vault \(name)\(words)"
    case .rolledBack: "the vault \(name) was replaced by an older copy\(words)"
    case .writableByOthers: "other users may write to the vault \(name)"
    case .noSpace: "the disk is full: cannot write the vault \(name)"
    default: "\(name)\(words)"
    }
  }

  fileprivate var hint: String? {
    switch code {
    case .missing: "create one with passkey register, passkey create or passkey authenticator"
    case .foreign: "the file was not changed: name another one with --vault"
    case .rolledBack:
      "--accept-rollback uses the copy, and loses signature counters and the count of wrong PINs"
    case .writableByOthers: "prevent that with chmod 600"
    case .truncated, .damaged: "the file was not changed: restore it from a backup"
    default: nil
    }
  }
}
