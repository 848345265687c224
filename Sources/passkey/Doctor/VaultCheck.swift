// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// Checks whether the vault can be opened and which passkeys it has for the relying party.
enum VaultCheck {
  static func finding(_ arguments: ParsedArguments, for id: String?, of user: String?) -> Finding {
    do throws(CommandFailure) {
      guard !arguments.has("--device") else { return .ok("device", "name another device with --device") }
      let passkeys = try OwnedVault(arguments).passkeys()
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
    } catch {
      // A missing vault is a warning, not a fault.
      let isMissing = error.message.hasPrefix("there is no vault")
      return isMissing
        ? .warning("vault", error.message, hint: error.hint) : .fault("vault", error.message, hint: error.hint)
    }
  }
}
