// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

/// A mark that a server gives to a client that has signed in, and by which it knows the client again.
///
/// A server that limits requests gives a known client a budget of its own, so that strangers who flood the account do not slow
/// the client. A mark opens nothing. Keep it as secret as a session all the same: who has it can spend that budget.
public struct ClientMark: Hashable, Sendable {
  /// The server that gave the mark. It is shown to no other.
  public let server: ServerAddress

  /// The name of the profile.
  public let profile: String

  /// The address of the user who signed in, where it is known.
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
  /// Reads what ``json`` wrote. Unknown members are ignored.
  ///
  /// - Throws: ``ClientError/Code-swift.enum/sessionInvalid`` if it is malformed or of another version.
  public init(json: Bytes) throws(ClientError) {
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
      throw ClientError(.sessionInvalid, "a client mark cannot be read: \(error)")
    }
  }

  /// The mark with its secret, for a file that no other user can read.
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
  /// Which user's mark it is, and at which server.
  public var description: String { "the client mark of \(user ?? "a user") at \(server.text)" }

  /// Empty, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
