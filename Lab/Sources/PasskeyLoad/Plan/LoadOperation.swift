// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles

/// A kind of operation in the mix of a load.
package enum LoadOperation: String, Hashable, Sendable, CaseIterable {
  /// Creates an account with a passkey.
  case register
  /// Signs in with a passkey.
  case signIn = "sign-in"
  /// Sends a request in a session.
  case request
  /// Confirms a request with a passkey.
  case stepUp = "step-up"
  /// Renews a session.
  case refresh
  /// Ends a session.
  case signOut = "sign-out"

  /// Whether the operation needs an open session.
  var needsSession: Bool { ![.register, .signIn].contains(self) }

  /// Whether the operation changes or ends its session, so that no other operation may use it.
  var needsOwnSession: Bool { [.refresh, .signOut].contains(self) }

  /// The endpoints that a profile must have.
  var endpoints: [EndpointName] {
    switch self {
    case .register: [.registerOptions, .registerVerify]
    case .signIn: [.signInOptions, .signInVerify]
    case .request: []
    case .stepUp: [.stepUpOptions, .stepUpVerify]
    case .refresh: [.refresh]
    case .signOut: [.signOut]
    }
  }
}
