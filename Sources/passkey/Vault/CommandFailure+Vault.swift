// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

extension CommandFailure {
  /// Describes a vault error to the user.
  init(_ error: VaultError) {
    self = .vault(error.message, hint: error.hint)
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
    case .exists: "there is a file at \(name) already"
    case .foreign: "\(name) is no vault\(words)"
    case .newerVersion: "\(name) was written by a newer passkey than this one"
    case .truncated: "the vault \(name) has lost its end\(words)"
    case .damaged: "the vault \(name) is damaged\(words)"
    case .wrongPassphrase: "that is not the passphrase of \(name)"
    case .unreasonableCost: "the vault \(name) asks for more memory than a vault may\(words)"
    case .tooLarge: "\(name) is larger than a vault may be"
    case .unreadable: "cannot read the vault \(name)\(words)"
    case .unwritable: "cannot write the vault \(name)\(words)"
    case .rolledBack: "the vault \(name) was replaced by an older copy\(words)"
    case .writableByOthers: "other users may write to the vault \(name)"
    case .noSpace: "there is no room left to write the vault \(name)"
    default: "\(name)\(words)"
    }
  }

  fileprivate var hint: String? {
    switch code {
    case .missing: "passkey register makes one, and so do passkey create and passkey authenticator"
    case .foreign: "it was left as it is: name another file with --vault"
    case .rolledBack:
      "--accept-rollback uses the copy: wrong PINs that were tried since are forgotten, and so are counters"
    case .writableByOthers: "chmod 600 keeps them out"
    case .truncated, .damaged: "it was left as it is: restore it from a copy"
    default: nil
    }
  }
}
