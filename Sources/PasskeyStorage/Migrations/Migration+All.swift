// SPDX-License-Identifier: Apache-2.0

extension Migration {
  /// The schema's history, the oldest step first. It is only ever added to.
  static let all: [Migration] = [
    .first, .smallerSignIns, .upkeep, .seals, .ceremonyClients, .decoys, .sentinelPasskeys,
  ]
}
