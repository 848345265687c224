// SPDX-License-Identifier: Apache-2.0

/// What a store is opened for.
enum StoreUse: Sendable {
  /// To serve, or to set up: what is not there yet is made.
  case making
  /// To look after what is there, with the secret: a store that is not there was meant to be another one.
  case administering
  /// To verify what is there, with the secret; nothing is written.
  case verifying
  /// To read what is there, for which no secret is needed.
  case reading
}
