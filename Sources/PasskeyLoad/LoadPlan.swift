// SPDX-License-Identifier: Apache-2.0

/// The load on a server.
package struct LoadPlan: Sendable {
  /// The sign-ins per second.
  package var rate: Double
}
