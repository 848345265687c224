// SPDX-License-Identifier: Apache-2.0

/// How a server gives a session to its client, and how the client shows it.
public enum SessionDelivery: Hashable, Sendable {
  /// A token in the body of the reply, shown as `Authorization: Bearer …` from then on.
  case bearer

  /// A cookie of this name, under TLS perhaps with `__Host-` before it. Requests that change something say which origin
  /// they come from, as a browser's do.
  case cookie(name: String)

  /// Not at all: the server says that the ceremony succeeded, and no more.
  case nothing
}
