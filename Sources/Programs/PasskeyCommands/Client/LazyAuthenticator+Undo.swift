// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import WebAuthnAuthenticator
package import WebAuthnClient
internal import WebAuthnTypes

extension LazyAuthenticator {
  /// Deletes the passkey of a failed registration and restores the one that it replaced, unless the server may have
  /// stored it. Returns a message for the user, or nil if no passkey was created.
  package func undoRegistration(after error: ClientError) -> String? {
    guard let made else { return nil }
    let id = made.id.description
    guard error.excludesRegistration else {
      let former = made.replaced.isEmpty ? "" : ", in the place of \(Self.names(made.replaced))"
      guard vault == nil || made.isInVault else {
        return "the server may have the new passkey \(id), whose key is sealed in its id: sign in to check"
      }
      let place = vault == nil ? "on the device" : "in the vault"
      return "the server may have the new passkey \(id), which stays \(place)\(former): sign in to check"
    }
    return undo(made, "the server does not have the new passkey")
  }

  /// Deletes a new passkey whose response could not be delivered, so that no server can have stored it. Returns a
  /// message for the user, or nil if no passkey was created.
  package func undoRegistrationWithoutResponse() -> String? {
    made.map { (made) in undo(made, "the response was not delivered, so no server has the new passkey") }
  }

  private func undo(_ made: CredentialRecorder.Made, _ reason: String) -> String {
    guard let vault else { return "\(reason) \(made.id), which stays on the device" }
    guard made.isInVault else {
      return "\(reason), whose key is sealed in its id: the vault stores nothing to delete"
    }
    do throws(CTAPError) {
      try VaultOwner(of: vault).undo(making: made.id, inPlaceOf: made.replaced)
    } catch {
      if error.status == .noCredentials { return "\(reason), which is no longer in the vault" }
      return "\(reason), and it could not be deleted: passkey keys delete \(made.id)"
    }
    let former = made.replaced.isEmpty ? "" : ", and \(Self.names(made.replaced)) was restored"
    return "\(reason): deleted it from the vault again\(former)"
  }

  private static func names(_ passkeys: [StoredPasskey]) -> String {
    passkeys.map(\.id.description).joined(separator: ", ")
  }
}

extension ClientError {
  /// Whether the server certainly did not store the passkey of the failed registration.
  fileprivate var excludesRegistration: Bool {
    switch (outcome, problem?.status) {
    case (.unknown?, _): false
    case (.notSent?, _): true
    // 408  [a proxy in front of the server reports that the server did not answer]
    case (nil, let status?): 400..<500 ~= status && status != 408
    // The ceremony itself failed.
    case (nil, nil): !isLossOfConnection
    }
  }
}
