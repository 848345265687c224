// SPDX-License-Identifier: Apache-2.0

/// How session tokens are transported.
public enum TokenDelivery: Hashable, Sendable {
  /// In the body of the response that opens the session, then in `Authorization: Bearer …`.
  case bearer

  /// In an `HttpOnly` cookie.
  ///
  /// Requests that change state must then come from an origin of the relying party. A ceremony can be finished only in
  /// the browser that began it: before sign-in, the same cookie carries the ceremony binding.
  ///
  /// If `keepsPlainName` is true, the name has no `__Host-` prefix over TLS either, for clients that expect the plain
  /// name.
  case cookie(name: String, keepsPlainName: Bool = false)
}
