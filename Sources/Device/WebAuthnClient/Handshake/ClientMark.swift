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

extension ClientMark {
  /// Parses the output of ``json``. Unknown members are ignored.
  ///
  /// - Throws: ``ClientError/Code-swift.enum/sessionInvalid`` if it is malformed or of another version.
  package init(json: Bytes) throws(ClientError) {
    do {
      let object = try JSON.parse(json, maximumSize: Self.maximumByteCount)
      guard try object.require("version").int64 == Self.version else {
        throw ClientError(.sessionInvalid, "a client mark of another version")
      }
      self.init(
        server: try ServerAddress(object.require("server").string), profile: try object.require("profile").string,
        user: try object["user"]?.unlessNull?.string,
        content: SecretBytes(utf8: try object.require("mark").string))
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(.sessionInvalid, "malformed client mark: \(error)")
    }
  }

  /// The mark with its secret, for a file that only its owner can read.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("version", .integer(Self.version))
      object.write("server", .string(server.text))
      object.write("profile", .string(profile))
      if let user { object.write("user", .string(user)) }
      object.write("mark", .string(content.exposedText))
    }
  }

  private static let version: Int64 = 1
  // 16 KiB [a mark has a few hundred bytes, a cookie at most 8 KiB]
  private static let maximumByteCount = 1 << 14
}

extension ClientMark: CustomStringConvertible, CustomReflectable {
  /// The user and the server of the mark.
  public var description: String { "the client mark of \(user ?? "a user") at \(server.text)" }

  /// An empty mirror, so that `dump` and failing tests do not print the mark.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
