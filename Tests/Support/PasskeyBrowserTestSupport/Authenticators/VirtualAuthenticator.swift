// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A virtual authenticator of a page.
package struct VirtualAuthenticator: Sendable {
  /// The abilities of a virtual authenticator.
  package struct Abilities: Sendable {
    /// The way in which it is connected: `internal`, `usb`, `nfc`, `ble` or `hybrid`.
    package var transport = "internal"
    /// Whether it speaks only U2F.
    package var isU2F = false
    package var storesPasskeys = true
    /// Whether it can verify its user.
    package var verifiesUsers = true
    /// Whether a verification of the user succeeds.
    package var acceptsUser = true
    /// Whether the user touches it at once.
    package var isTouched = true
    package var hasPRF = false
    package var hasLargeBlobs = false
    /// Whether its passkeys may be backed up, and are.
    package var backsUp = false

    package init() {}

    package static let platform = Self()

    /// A security key with a PIN.
    package static var securityKey: Self {
      var abilities = Self()
      abilities.transport = "usb"
      return abilities
    }
  }

  /// A passkey in a virtual authenticator.
  package struct StoredPasskey: Sendable {
    /// The identifier, in base64url.
    package let identifier: String
    package let rpID: String
    package let userName: String?
    package let signCount: Int
    package let isBackedUp: Bool
    package let largeBlob: [UInt8]?
  }

  let page: Page
  let identifier: String

  /// Returns the passkeys.
  package func passkeys() async throws -> [StoredPasskey] {
    let reply = try await send("WebAuthn.getCredentials")
    return try reply.require("credentials").elements { $0 }.map { (credential) in
      StoredPasskey(
        identifier: Base64URL.encode(try credential.require("credentialId").base64),
        rpID: try credential["rpId"]?.string ?? "", userName: try credential["userName"]?.string,
        signCount: try credential.require("signCount").integer(),
        isBackedUp: try credential["backupState"]?.bool ?? false, largeBlob: try credential["largeBlob"]?.base64)
    }
  }

  /// Copies the passkeys to the authenticator of another page, as a provider that synchronizes does.
  package func copyPasskeys(to other: VirtualAuthenticator) async throws {
    for credential in try await send("WebAuthn.getCredentials").require("credentials").elements({ $0 }) {
      try await other.send("WebAuthn.addCredential") { $0.write("credential", .verbatim(credential)) }
    }
  }

  /// Deletes all passkeys, as a user does.
  package func clear() async throws {
    try await send("WebAuthn.clearCredentials")
  }

  /// Sets whether verifications of the user succeed.
  package func setAcceptsUser(_ accepts: Bool) async throws {
    try await send("WebAuthn.setUserVerified") { $0.write("isUserVerified", .bool(accepts)) }
  }

  /// Sets whether the user touches the authenticator at once.
  package func setTouched(_ isTouched: Bool) async throws {
    try await send("WebAuthn.setAutomaticPresenceSimulation") { $0.write("enabled", .bool(isTouched)) }
  }

  /// Removes the authenticator from the page.
  package func remove() async throws {
    try await send("WebAuthn.removeVirtualAuthenticator")
  }

  @discardableResult
  private func send(
    _ method: String, _ parameters: (inout JSONObjectWriter) -> Void = { _ in }
  ) async throws -> JSONValue {
    try await page.send(method) { (object) in
      object.write("authenticatorId", identifier)
      parameters(&object)
    }
  }
}

extension Page {
  /// Adds a virtual authenticator, which replaces the authenticators of the machine in this page.
  @discardableResult
  package func addAuthenticator(
    _ abilities: VirtualAuthenticator.Abilities = .platform
  ) async throws -> VirtualAuthenticator {
    // Without a user interface the browser chooses the account itself.
    try await send("WebAuthn.enable")
    let reply = try await send("WebAuthn.addVirtualAuthenticator") { (parameters) in
      parameters.writeObject("options") { (options) in
        options.write("protocol", abilities.isU2F ? "u2f" : "ctap2")
        if !abilities.isU2F { options.write("ctap2Version", "ctap2_1") }
        options.write("transport", abilities.transport)
        options.write("hasResidentKey", .bool(abilities.storesPasskeys))
        options.write("hasUserVerification", .bool(abilities.verifiesUsers))
        options.write("isUserVerified", .bool(abilities.acceptsUser))
        options.write("automaticPresenceSimulation", .bool(abilities.isTouched))
        options.write("hasPrf", .bool(abilities.hasPRF))
        options.write("hasLargeBlob", .bool(abilities.hasLargeBlobs))
        options.write("defaultBackupEligibility", .bool(abilities.backsUp))
        options.write("defaultBackupState", .bool(abilities.backsUp))
      }
    }
    return VirtualAuthenticator(page: self, identifier: try reply.require("authenticatorId").string)
  }
}
