// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
public import PasskeyFormats

extension ServerSession {
  /// Parses the output of ``json``. Unknown members are ignored, since a newer version may have written them.
  ///
  /// - Throws: `client.session-invalid`; `client.address-invalid` or `client.address-unencrypted` for the server's address.
  @inlinable
  package init(json: some Collection<UInt8>) throws(ClientError) {
    try self.init(json: Bytes(json))
  }

  /// Parses the output of ``json``. Unknown members are ignored, since a newer version may have written them.
  ///
  /// - Throws: `client.session-invalid`; `client.address-invalid` or `client.address-unencrypted` for the server's address.
  @usableFromInline package init(json: Bytes) throws(ClientError) {
    do {
      let object = try JSON.parse(json, maximumSize: Self.maximumByteCount)
      guard try object.require("version").int64 == Self.version else {
        throw ClientError(.sessionInvalid, "the session has another version")
      }
      func text(_ name: String) throws(WireError) -> String? { try object[name]?.unlessNull?.string }
      let secret = { (name: String) throws(WireError) in try text(name).map { SecretBytes(utf8: $0) } }
      var lines: [String] = []
      if let list = try object["cookies"] { for line in try list.array { lines.append(try line.string) } }
      guard let cookies = CookieJar(lines: lines) else { throw ClientError(.sessionInvalid, "a malformed cookie") }
      self.init(
        server: try ServerAddress(object.require("server").string), profile: try object.require("profile").string,
        user: try text("user"), expiry: object.time("expiresAt"), renewalExpiry: object.time("refreshExpiresAt"),
        signedIn: object.time("signedInAt"), token: try secret("token"), refreshToken: try secret("refreshToken"),
        cookies: cookies)
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(.sessionInvalid, "malformed session: \(error)")
    }
  }

  /// The session with its secrets, for a file that only its owner can read.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("version", .integer(Self.version))
      object.write("server", .string(server.text))
      object.write("profile", .string(profile))
      if let user { object.write("user", .string(user)) }
      if let expiry { object.write("expiresAt", .integer(expiry.secondsSince1970)) }
      if let renewalExpiry { object.write("refreshExpiresAt", .integer(renewalExpiry.secondsSince1970)) }
      if let signedIn { object.write("signedInAt", .integer(signedIn.secondsSince1970)) }
      if let token { object.write("token", .string(token.exposedText)) }
      if let refreshToken { object.write("refreshToken", .string(refreshToken.exposedText)) }
      guard !cookies.isEmpty else { return }
      object.writeArray("cookies") { (list: inout JSONArrayWriter) in
        for line in cookies.lines { list.write(.string(line)) }
      }
    }
  }

  private static let version: Int64 = 1
  // 1 MiB [a hundred cookies of the largest size]
  private static let maximumByteCount = 1 << 20
}

extension SecretBytes {
  /// The secret as a string, for output that has to contain it.
  package var exposedText: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
