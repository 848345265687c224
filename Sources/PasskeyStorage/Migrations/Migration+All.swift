// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// All migrations, oldest first. The list is append-only.
  static let all: [Migration] = [
    .first, .smallerSignIns, .upkeep, .seals, .ceremonyClients, .decoys, .sentinelPasskeys,
  ]
}
