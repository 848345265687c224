// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

// An authenticator's capabilities (CTAP 2.3 §6.4). Options that are missing have a default.

extension AuthenticatorInfo {
  /// `plat`: whether the authenticator is part of this machine.
  var attachment: AuthenticatorAttachment { options["plat"] == true ? .platform : .crossPlatform }

  /// `rk`: whether it supports discoverable credentials.
  var keepsDiscoverableCredentials: Bool { options["rk"] == true }

  /// `uv`: whether built-in user verification is set up.
  var verifiesUsersItself: Bool { options["uv"] == true }

  /// `clientPin`: whether a PIN is set and allowed in ceremonies.
  var takesPIN: Bool { options["clientPin"] == true && options["noMcGaPermissionsWithClientPin"] != true }

  /// Whether any method of user verification is available.
  var canVerifyUsers: Bool { verifiesUsersItself || takesPIN }

  /// `pinUVAuthToken`: whether tokens have permissions, as since CTAP 2.1.
  var issuesTokensWithPermissions: Bool { options["pinUvAuthToken"] == true }

  /// `alwaysUv`: whether every operation requires user verification.
  var alwaysVerifiesUsers: Bool { options["alwaysUv"] == true }

  /// Returns whether creating such a credential requires user verification.
  func demandsVerification(toMakeDiscoverable isDiscoverable: Bool) -> Bool {
    guard canVerifyUsers else { return false }
    return alwaysVerifiesUsers || isDiscoverable || options["makeCredUvNotRqd"] != true
  }

  /// `largeBlobs`: whether it supports large blobs and their keys.
  var storesLargeBlobs: Bool { options["largeBlobs"] == true && extensions.contains("largeBlobKey") }

  /// `ep`: whether enterprise attestation is enabled.
  var givesEnterpriseAttestation: Bool { options["ep"] == true }

  /// The maximum size of a message [1024 bytes by default, and never less, §6.4].
  var messageByteCount: Int { max(1024, maximumMessageByteCount.flatMap { Int(exactly: $0) } ?? 1024) }

  /// Whether it supports authenticatorSelection, which waits for a touch only (since CTAP 2.1).
  var asksForGesture: Bool { !Set(versions).isDisjoint(with: ["FIDO_2_1", "FIDO_2_2", "FIDO_2_3"]) }

  /// Its transports for the relying party: sorted, without duplicates.
  var listedTransports: [AuthenticatorTransport] {
    Set(transports).sorted { (left, right) in left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8) }
  }
}
