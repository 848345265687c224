// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
internal import WebAuthnBrowser

extension ServerSession: PrivateValue {
  /// The session with its secrets, for a file that only its owner can read.
  public var json: [UInt8] { encodedJSON }

  package static var kind: String { "session" }

  // 1 MiB [a hundred cookies of the largest size]
  package static var maximumByteCount: Int { 1 << 20 }

  package init(server: ServerAddress, profile: String, user: String?, members: JSONValue) throws {
    let secret = { (name: String) throws(WireError) in
      try members[name]?.unlessNull.map { (value) throws(WireError) in SecretBytes(utf8: try value.string) }
    }
    var lines: [String] = []
    if let list = try members["cookies"] { for line in try list.array { lines.append(try line.string) } }
    guard let cookies = CookieJar(lines: lines) else { throw ClientError(.sessionInvalid, "a malformed cookie") }
    self.init(
      server: server, profile: profile, user: user, expiry: members.time("expiresAt"),
      renewalExpiry: members.time("refreshExpiresAt"), signedIn: members.time("signedInAt"),
      token: try secret("token"), refreshToken: try secret("refreshToken"), cookies: cookies)
  }

  package func write(members: inout JSONObjectWriter) {
    if let expiry { members.write("expiresAt", .integer(expiry.secondsSince1970)) }
    if let renewalExpiry { members.write("refreshExpiresAt", .integer(renewalExpiry.secondsSince1970)) }
    if let signedIn { members.write("signedInAt", .integer(signedIn.secondsSince1970)) }
    if let token { members.write("token", .string(token.exposedText)) }
    if let refreshToken { members.write("refreshToken", .string(refreshToken.exposedText)) }
    guard !cookies.isEmpty else { return }
    members.writeArray("cookies") { (list: inout JSONArrayWriter) in
      for line in cookies.lines { list.write(.string(line)) }
    }
  }
}

extension SecretBytes {
  /// The secret as a string, for output that has to contain it.
  package var exposedText: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
