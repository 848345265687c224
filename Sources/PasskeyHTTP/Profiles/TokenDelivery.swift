// SPDX-License-Identifier: Apache-2.0

/// How a session's token travels.
public enum TokenDelivery: Hashable, Sendable {
  /// In the body of the answer that opens the session, and in `Authorization: Bearer …` from then on.
  case bearer

  /// In a cookie that no script reads. Requests that change something then have to come from an origin of the relying
  /// party's, and a ceremony can be finished only in the browser in which it was begun: the same cookie carries what ties
  /// it there until there is a session.
  ///
  /// Where `keepsPlainName` is true the name has no `__Host-` under TLS either, as a client expects that knows it so.
  case cookie(name: String, keepsPlainName: Bool = false)
}
