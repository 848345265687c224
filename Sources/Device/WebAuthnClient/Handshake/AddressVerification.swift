// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats
internal import PasskeyProfiles

/// A verification of an email address that waits for the code from the mail.
///
/// Its secret and the code finish it together, so that neither a reader of the mailbox nor a thief of this value can do so
/// alone. It is a value, so a program may store it and finish it later. Its secret is available through ``json`` only.
public struct AddressVerification: Sendable {
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

extension AddressVerification {
  /// Parses the output of ``json``. Unknown members are ignored.
  ///
  /// - Throws: `client.session-invalid` if it is malformed or of another version; `client.address-invalid` or
  ///   `client.address-unencrypted` for the server's address.
  package init(json: Bytes) throws(ClientError) {
    do {
      let object = try JSON.parse(json, maximumSize: Self.maximumByteCount)
      guard try object.require("version").int64 == Self.version else {
        throw ClientError(.sessionInvalid, "a verification of another version")
      }
      self.init(
        server: try ServerAddress(object.require("server").string), profile: try object.require("profile").string,
        user: try object["user"]?.unlessNull?.string, address: try object["email"]?.unlessNull?.string,
        expiry: object.time("expiresAt"), token: SecretBytes(utf8: try object.require("token").string))
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(.sessionInvalid, "malformed verification: \(error)")
    }
  }

  /// The verification with its secret, for a file that only its owner can read.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("version", .integer(Self.version))
      object.write("server", .string(server.text))
      object.write("profile", .string(profile))
      if let user { object.write("user", .string(user)) }
      if let address { object.write("email", .string(address)) }
      if let expiry { object.write("expiresAt", .integer(expiry.secondsSince1970)) }
      object.write("token", .string(token.exposedText))
    }
  }

  private static let version: Int64 = 1
  // 16 KiB [a token has at most 8 KiB]
  private static let maximumByteCount = 1 << 14
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
