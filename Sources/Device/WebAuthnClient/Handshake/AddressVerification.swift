// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
internal import PasskeyProfiles

/// A verification of an email address that waits for the code from the mail.
///
/// Its secret and the code finish it together, so that neither a reader of the mailbox nor a thief of this value can do so
/// alone. It is a value, so a program may store it and finish it later. Its secret is available through ``json`` only.
public struct AddressVerification: Equatable, Sendable {
  /// The server that sent the mail. The client sends the secret to no other server.
  public let server: ServerAddress

  /// The name of the profile.
  public let profile: String

  /// The name of the user who began it, if known.
  public let user: String?

  /// The address that gets the mail, if known.
  public let address: String?

  /// When it expires, if the server says so.
  public let expiry: UnixTime?

  let token: SecretBytes
}

extension AddressVerification: PrivateValue {
  /// The verification with its secret, for a file that only its owner can read.
  public var json: [UInt8] { encodedJSON }

  package static var kind: String { "verification" }

  // 16 KiB [a token has at most 8 KiB]
  package static var maximumByteCount: Int { 1 << 14 }

  package init(server: ServerAddress, profile: String, user: String?, members: JSONValue) throws {
    self.init(
      server: server, profile: profile, user: user, address: try members["email"]?.unlessNull?.string,
      expiry: members.time("expiresAt"), token: SecretBytes(utf8: try members.require("token").string))
  }

  package func write(members: inout JSONObjectWriter) {
    if let address { members.write("email", .string(address)) }
    if let expiry { members.write("expiresAt", .integer(expiry.secondsSince1970)) }
    members.write("token", .string(token.exposedText))
  }
}

extension AddressVerification: CustomStringConvertible, CustomReflectable {
  /// The address and the server.
  public var description: String { "the verification of \(address ?? user ?? "an address") at \(server.text)" }

  /// An empty mirror, so that `dump` and failing tests do not print the secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The result of a verification.
public struct VerifiedAddress: Sendable {
  /// The account, with its verified address.
  public let account: ServerAccount

  /// The session that a registration opens; nil for an account that existed before, or that waits for approval.
  public let session: ServerSession?

  /// Whether an administrator must approve the account first.
  package let isPending: Bool
}
