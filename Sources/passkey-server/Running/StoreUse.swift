// SPDX-License-Identifier: Apache-2.0

/// The purpose for which a store is opened.
enum StoreUse: Sendable {
  /// Serving or setup: creates a missing database and secret.
  case making
  /// Administration with the secret: a missing database is an error, because its path is probably mistyped.
  case administering
  /// Verification with the secret; writes nothing.
  case verifying
  /// Reading without the secret.
  case reading
}
