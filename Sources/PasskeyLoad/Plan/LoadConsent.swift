// SPDX-License-Identifier: Apache-2.0

package import WebAuthnClient

/// The user's declaration that a server may be loaded. A server on this machine needs none.
package struct LoadConsent: Hashable, Sendable {
  private let host: String

  /// Checks the declaration for a server.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - host: The host that the user may test; nil if the user declared nothing.
  /// - Throws: `load.consent-missing`.
  package init(for server: ServerAddress, declared host: String?) throws(LoadError) {
    guard server.isLoopback || host == server.host else {
      throw LoadError(.consentMissing, host.map { "\($0) is not the host of \(server.text)" } ?? server.host)
    }
    self.host = server.host
  }

  /// Returns whether the declaration is for this server.
  func covers(_ server: ServerAddress) -> Bool { host == server.host }
}
