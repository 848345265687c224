// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes

/// Checks whether the vault can be opened and which passkeys it has for the relying party.
enum VaultCheck {
  static func finding(_ device: DeviceChoice.Device, for id: String?, of user: String?) -> Finding {
    guard case .vault(let location, _, _) = device else { return .ok("vault", "passkeys are in memory") }
    do throws(CommandFailure) {
      return finding(try OwnedVault(location).passkeys(), for: id, of: user)
    } catch {
      // A missing vault is a warning, not a fault.
      let isMissing = error.code == VaultError.Code.missing.rawValue
      return isMissing
        ? .warning("vault", error.message, hint: error.hint) : .fault("vault", error.message, hint: error.hint)
    }
  }

  private static func finding(_ passkeys: [StoredPasskey], for id: String?, of user: String?) -> Finding {
    let count = "\(passkeys.count) passkey\(passkeys.count == 1 ? "" : "s")"
    guard let id else { return .ok("vault", count) }
    let here = passkeys.filter { $0.relyingPartyID == id }
    var words = "\(count), \(here.count) for \(id.escapedForTerminal)"
    guard let user else {
      return here.isEmpty ? .warning("vault", words, hint: "create one with passkey register") : .ok("vault", words)
    }
    let own = here.count { $0.user?.name?.lowercased() == user.lowercased() }
    words += ", \(own) of \(user.escapedForTerminal)"
    return own > 0 ? .ok("vault", words) : .warning("vault", words, hint: "create one with passkey register")
  }
}
