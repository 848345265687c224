// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine

/// The keys of push services, which SIGHUP reads again.
enum DeliveryKeys {
  /// Reads the keys again, and notes the result for each. Blocks the calling thread.
  static func reload(_ deliveries: Deliveries) {
    let lines = try? Blocking.wait { () async throws(CommandFailure) in await deliveries.reload() }
    for line in lines ?? [] { Diagnostics.server.note(line) }
  }
}
