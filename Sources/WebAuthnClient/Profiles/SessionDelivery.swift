// SPDX-License-Identifier: Apache-2.0

/// How a server delivers a session, and how the client presents it.
public enum SessionDelivery: Hashable, Sendable {
  /// A token in the body of the reply, sent as `Authorization: Bearer …` in later requests.
  case bearer

  /// A cookie of this name, under TLS possibly with the prefix `__Host-`. Write requests carry an `Origin` field, as a
  /// browser's do.
  case cookie(name: String)

  /// No session: the server only reports that the ceremony succeeded.
  case nothing
}
