// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
@_spi(_Unicode) internal import Swift

/// The owner of a stored value: one user at one server with one profile.
package struct AccountKey: Hashable, Sendable {
  private let server: ServerAddress
  private let profile: String
  private let user: String

  /// Creates a key. User names that differ only in case or in Unicode normalization have the same key, also where a server
  /// tells such names apart.
  package init(server: ServerAddress, profile: String, user: String?) {
    self.server = server
    self.profile = profile
    self.user = (user ?? "").uppercased().lowercased().normalized
  }

  /// Returns whether the value belongs to this server and profile and, if given, to this user.
  package func isFor(_ server: ServerAddress, profile: String, user: String?) -> Bool {
    self.server == server && self.profile == profile
      && (user == nil || self == AccountKey(server: server, profile: profile, user: user))
  }

  /// The name of the value's file: the same for all spellings of the user, valid for any, and without the user's name.
  package var fileName: String {
    let text = [server.text, profile, user].joined(separator: "\u{0}")
    return Hex.encode(Digest.sha256([UInt8](text.utf8)).prefix(16)) + Self.suffix
  }

  static let suffix = ".json"
}

extension String {
  /// The text in Unicode's normalization form C.
  fileprivate var normalized: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var scalars = UnicodeScalarView()
    for scalar in _nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
