// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// A registration that has begun: what the browser gets, and what the server keeps.
///
/// Bind it to a constant before you use ``pending``: Swift 6.3 cannot take a part out of a temporary that is not copyable.
@frozen public struct BegunRegistration: ~Copyable, Sendable {
  /// The options, for the browser.
  public let options: CreationOptions

  /// The pending ceremony, for a store that only the server writes.
  public let pending: PendingRegistration

  init(options: CreationOptions, pending: consuming PendingRegistration) {
    self.options = options
    self.pending = pending
  }
}

/// An authentication that has begun: what the browser gets, and what the server keeps.
///
/// Bind it to a constant before you use ``pending``: Swift 6.3 cannot take a part out of a temporary that is not copyable.
@frozen public struct BegunAuthentication: ~Copyable, Sendable {
  /// The options, for the browser.
  public let options: RequestOptions

  /// The pending ceremony, for a store that only the server writes.
  public let pending: PendingAuthentication

  init(options: RequestOptions, pending: consuming PendingAuthentication) {
    self.options = options
    self.pending = pending
  }
}
