// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

extension RelyingParty {
  /// A registration that has begun: the options for the browser, and the pending ceremony for the server.
  ///
  /// Assign it to a constant before you use ``pending``: Swift 6.3 cannot consume a part of a noncopyable temporary.
  @frozen public struct BegunRegistration: ~Copyable, Sendable {
    /// The options, for the browser.
    public let options: CreationOptions

    /// The pending ceremony, for a store that only the server can write.
    public let pending: PendingRegistration

    init(options: CreationOptions, pending: consuming PendingRegistration) {
      self.options = options
      self.pending = pending
    }
  }
}

extension RelyingParty {
  /// An authentication that has begun: the options for the browser, and the pending ceremony for the server.
  ///
  /// Assign it to a constant before you use ``pending``: Swift 6.3 cannot consume a part of a noncopyable temporary.
  @frozen public struct BegunAuthentication: ~Copyable, Sendable {
    /// The options, for the browser.
    public let options: RequestOptions

    /// The pending ceremony, for a store that only the server can write.
    public let pending: PendingAuthentication

    init(options: RequestOptions, pending: consuming PendingAuthentication) {
      self.options = options
      self.pending = pending
    }
  }
}
