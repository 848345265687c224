// SPDX-License-Identifier: Apache-2.0

/// A store of sessions. A file contains session tokens, but never a passkey's private key.
package typealias SessionStore = PrivateStore<ServerSession>

extension PrivateStore<ServerSession> {
  /// Returns every session for a server and a profile, the latest sign-in first. Calls `skip` for each invalid or
  /// unreadable file, in the order of their names.
  package func sessions(
    at server: ServerAddress, profile: String, skip: (PrivateStoreError) -> Void = { _ in }
  ) throws(PrivateStoreError) -> [ServerSession] {
    // A renewal rewrites the file. The age of the file decides among sign-ins within one second.
    try values(at: server, profile: profile, skip: skip).sorted { (left, right) in
      left.signedIn?.secondsSince1970 ?? .min > right.signedIn?.secondsSince1970 ?? .min
    }
  }
}
