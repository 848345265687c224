// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats

/// A token by which a server recognizes a client that has signed in before.
///
/// A server with rate limits gives known clients their own budget, so that strangers who flood the account do not slow
/// them down. A mark grants no access. Still, store it like a session: anyone who has it can use up that budget.
public struct ClientMark: Hashable, Sendable {
  /// The server that issued the mark. The client sends it to no other server.
  public let server: ServerAddress

  /// The name of the profile.
  public let profile: String

  /// The address of the user who signed in, if known.
  public let user: String?

  /// The token, or the line of a cookie jar.
  let content: SecretBytes

  init(server: ServerAddress, profile: String, user: String?, content: SecretBytes) {
    self.server = server
    self.profile = profile
    self.user = user
    self.content = content
  }

  /// Compares the marks in constant time.
  public static func == (left: Self, right: Self) -> Bool {
    left.server == right.server && left.profile == right.profile && left.user == right.user
      && left.content == right.content
  }

  /// Hashes everything but the secret.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(server)
    hasher.combine(profile)
    hasher.combine(user)
  }
}

extension ClientMark: PrivateValue {
  /// The mark with its secret, for a file that only its owner can read.
  public var json: [UInt8] { encodedJSON }

  package static var kind: String { "client mark" }

  // 16 KiB [a mark has a few hundred bytes, a cookie at most 8 KiB]
  package static var maximumByteCount: Int { 1 << 14 }

  package init(server: ServerAddress, profile: String, user: String?, members: JSONValue) throws {
    self.init(
      server: server, profile: profile, user: user, content: SecretBytes(utf8: try members.require("mark").string))
  }

  package func write(members: inout JSONObjectWriter) {
    members.write("mark", .string(content.exposedText))
  }
}

extension ClientMark: CustomStringConvertible, CustomReflectable {
  /// The user and the server of the mark.
  public var description: String { "the client mark of \(user ?? "a user") at \(server.text)" }

  /// An empty mirror, so that `dump` and failing tests do not print the mark.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
