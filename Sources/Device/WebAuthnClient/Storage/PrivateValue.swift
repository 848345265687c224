// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnBrowser

// { "version": 1, "server": …, "profile": …, "user": …, members of the type … }

/// A small value with secrets that ``PrivateStore`` keeps for one user at one server.
package protocol PrivateValue: Equatable, Sendable {
  /// The server that issued it. The client sends it to no other server.
  var server: ServerAddress { get }

  /// The name of the profile.
  var profile: String { get }

  /// The user, if known.
  var user: String? { get }

  /// The value with its secrets, for a file that only its owner can read: ``encodedJSON``.
  var json: [UInt8] { get }

  /// The noun for the value in error messages.
  static var kind: String { get }

  /// The maximum length of its JSON text in bytes.
  static var maximumByteCount: Int { get }

  /// Reads the members of the type.
  init(server: ServerAddress, profile: String, user: String?, members: JSONValue) throws

  /// Writes the members of the type.
  func write(members: inout JSONObjectWriter)
}

private let version: Int64 = 1

extension PrivateValue {
  /// Parses the output of ``json``. Unknown members are ignored.
  ///
  /// - Throws: `client.session-invalid` if it is malformed or of another version; `client.address-invalid` or
  ///   `client.address-unencrypted` for the server's address.
  package init(json: some ByteSource) throws(ClientError) {
    do {
      let object = try JSON.parse(json, maximumSize: Self.maximumByteCount)
      guard try object.require("version").int64 == version else {
        throw ClientError(.sessionInvalid, "a \(Self.kind) of another version")
      }
      try self.init(
        server: ServerAddress(object.require("server").string), profile: object.require("profile").string,
        user: object["user"]?.unlessNull?.string, members: object)
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(.sessionInvalid, "malformed \(Self.kind): \(error)")
    }
  }

  /// The value with its secrets, as JSON.
  var encodedJSON: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("version", .integer(version))
      object.write("server", .string(server.text))
      object.write("profile", .string(profile))
      if let user { object.write("user", .string(user)) }
      write(members: &object)
    }
  }

  /// The user, server and profile that the value belongs to.
  var key: AccountKey { AccountKey(server: server, profile: profile, user: user) }
}
