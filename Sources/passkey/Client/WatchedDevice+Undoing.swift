// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import CTAPTypes
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes

extension WatchedDevice {
  /// Deletes the passkey that was made for a registration which failed, and puts back the one in whose place it was, unless
  /// the server may have it. What the user is to know; nil where none was made.
  func undoMaking(after error: ClientError) -> String? {
    guard let made else { return nil }
    let id = made.id.description
    guard error.saysThatNothingWasRegistered else {
      let former = made.replaced.isEmpty ? "" : ", in the place of \(Self.names(made.replaced))"
      guard vault == nil || made.isInVault else {
        return "the server may have the new passkey \(id), whose key is sealed in its id: sign-in tells"
      }
      let place = vault == nil ? "on the device" : "in the vault"
      return "the server may have the new passkey \(id), which stays \(place)\(former): sign-in tells"
    }
    return undo(made, "the server does not have the new passkey")
  }

  /// Deletes the passkey that was made where nobody got the response, and so no server can ever have it. What the user is
  /// to know; nil where none was made.
  func undoMakingWithoutResponse() -> String? {
    made.map { (made) in undo(made, "nobody has the response of the new passkey") }
  }

  private func undo(_ made: Made, _ reason: String) -> String {
    guard let vault else { return "\(reason) \(made.id), which stays on the device" }
    guard made.isInVault else {
      return "\(reason), whose key is sealed in its id: the vault holds nothing of it that could be deleted"
    }
    do throws(CTAPError) {
      try VaultOwner(of: vault).undo(making: made.id, inPlaceOf: made.replaced)
    } catch {
      if error.status == .noCredentials { return "\(reason), which is no longer in the vault" }
      return "\(reason), and it could not be deleted: passkey keys delete \(made.id)"
    }
    let former = made.replaced.isEmpty ? "" : ", and \(Self.names(made.replaced)) is back in its place"
    return "\(reason): it was deleted from the vault again\(former)"
  }

  private static func names(_ passkeys: [StoredPasskey]) -> String {
    passkeys.map(\.id.description).joined(separator: ", ")
  }
}

extension ClientError {
  /// Whether it is certain that the server did not take the passkey of a registration that failed so.
  fileprivate var saysThatNothingWasRegistered: Bool {
    switch (outcome, problem?.status) {
    case (.unknown?, _): false
    case (.notSent?, _): true
    // 408  [whoever stands before the server says that it did not answer]
    case (nil, let status?): 400..<500 ~= status && status != 408
    // The ceremony itself failed.
    case (nil, nil): !isLossOfConnection
    }
  }
}
