// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeySystem

/// A store of verifications that wait for the code of a mail, in a folder: one file per server, profile and user.
///
/// Only this user can read the files.
package struct AddressVerificationFiles: Sendable {
  private let path: String

  // 16 KiB [a verification is a few hundred bytes]
  private static let maximumByteCount = 1 << 14

  /// Creates a store in a folder, which is created when the first verification is stored.
  package init(path: String) {
    self.path = path
  }

  /// Returns the verification of a user, or the newest one if `user` is nil.
  package func verification(at server: ServerAddress, profile: String, user: String?) -> AddressVerification? {
    guard let folder = try? PrivateFolder(at: path, limit: Self.maximumByteCount) else { return nil }
    let names = user.map { [Self.name(server, profile, $0)] } ?? (try? folder.namesByAge()) ?? []
    let found = names.lazy.compactMap { (name) -> AddressVerification? in
      guard let bytes = try? folder.read(name), let stored = try? AddressVerification(json: bytes[...]) else {
        return nil
      }
      let isSameUser = user == nil || stored.user?.lowercased() == user?.lowercased()
      return stored.server == server && stored.profile == profile && isSameUser ? stored : nil
    }
    return found.first
  }

  /// Stores a verification in place of an earlier one of the same user.
  ///
  /// - Throws: The error of the folder or the file.
  package func keep(_ verification: AddressVerification) throws(PrivateFolderError) {
    let folder = try PrivateFolder(creating: path, limit: Self.maximumByteCount)
    try folder.deleteAbandonedDrafts()
    try folder.write(
      verification.json, to: Self.name(verification.server, verification.profile, verification.user ?? ""))
  }

  /// Deletes the verification of the same user, if there is one.
  package func delete(_ verification: AddressVerification) {
    guard let folder = try? PrivateFolder(at: path, limit: Self.maximumByteCount) else { return }
    try? folder.delete(Self.name(verification.server, verification.profile, verification.user ?? ""))
  }

  /// Returns a file name that does not reveal the user's address.
  private static func name(_ server: ServerAddress, _ profile: String, _ user: String) -> String {
    let text = [server.text, profile, user.lowercased()].joined(separator: "\u{0}")
    return Hex.encode(Digest.sha256([UInt8](text.utf8)[...]).prefix(16))
  }
}
