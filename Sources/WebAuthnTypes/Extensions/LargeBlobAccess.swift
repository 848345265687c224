// SPDX-License-Identifier: Apache-2.0

/// What a sign-in does with a credential's large blob (WebAuthn §10.1.5): one thing, never both.
public enum LargeBlobAccess: Hashable, Sendable {
  /// Fetches it.
  case read
  /// Replaces it. Only for a sign-in that names exactly one credential.
  case write([UInt8])
}
