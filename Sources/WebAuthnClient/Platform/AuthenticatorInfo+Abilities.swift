// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

// What an authenticator can, as it bears on ceremonies (CTAP 2.3 §6.4). An option that is missing has a default.

extension AuthenticatorInfo {
  /// `plat`: how it belongs to this machine.
  var attachment: AuthenticatorAttachment { options["plat"] == true ? .platform : .crossPlatform }

  /// `rk`: whether it keeps credentials that are found without their ids.
  var keepsDiscoverableCredentials: Bool { options["rk"] == true }

  /// `uv`: whether a means of its own to tell its user is set up.
  var verifiesUsersItself: Bool { options["uv"] == true }

  /// `clientPin`, and that it is good for ceremonies.
  var takesPIN: Bool { options["clientPin"] == true && options["noMcGaPermissionsWithClientPin"] != true }

  /// Whether there is a way to find out who uses it.
  var canVerifyUsers: Bool { verifiesUsersItself || takesPIN }

  /// `pinUvAuthToken`: whether tokens are for something, as since CTAP 2.1.
  var issuesTokensWithPermissions: Bool { options["pinUvAuthToken"] == true }

  /// `alwaysUv`: whether nothing is done for users who are not verified.
  var alwaysVerifiesUsers: Bool { options["alwaysUv"] == true }

  /// Whether it makes such a credential only for a verified user.
  func demandsVerification(toMakeDiscoverable isDiscoverable: Bool) -> Bool {
    guard canVerifyUsers else { return false }
    return alwaysVerifiesUsers || isDiscoverable || options["makeCredUvNotRqd"] != true
  }

  /// `largeBlobs`: whether there is a place for them, and keys.
  var storesLargeBlobs: Bool { options["largeBlobs"] == true && extensions.contains("largeBlobKey") }

  /// `ep`: whether it was allowed to give attestations that name it.
  var givesEnterpriseAttestation: Bool { options["ep"] == true }

  /// How long a message may be [1024 bytes where nothing is said, and never less, §6.4].
  var messageByteCount: Int { max(1024, maximumMessageByteCount.flatMap { Int(exactly: $0) } ?? 1024) }

  /// Whether it can be told to wait for a touch and nothing else (authenticatorSelection, since CTAP 2.1).
  var asksForGesture: Bool { !Set(versions).isDisjoint(with: ["FIDO_2_1", "FIDO_2_2", "FIDO_2_3"]) }

  /// By which ways it can be reached, as a relying party is told: sorted, each once.
  var listedTransports: [AuthenticatorTransport] {
    Set(transports).sorted { (left, right) in left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8) }
  }
}
