// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// A store of client marks in a folder: one file per server, profile and user.
///
/// Only this user can read the files. Read and write errors are ignored: without a mark, the server treats this client
/// as unknown.
package struct ClientMarkFiles: ClientMarkStore {
  private let path: String

  // 64 KiB [a mark is a few hundred bytes]
  private static let maximumByteCount = 1 << 16

  /// Creates a store in a folder, which is created when the first mark is stored.
  package init(path: String) {
    self.path = path
  }

  package func mark(at server: ServerAddress, profile: String, user: String?) -> ClientMark? {
    guard let folder = try? PrivateFolder(at: path, limit: Self.maximumByteCount) else { return nil }
    // Without a user, the newest mark is the one of the latest sign-in.
    let names = user.map { [Self.name(server, profile, $0)] } ?? (try? folder.namesByAge()) ?? []
    let found = names.lazy.compactMap { (name) -> ClientMark? in
      guard let bytes = try? folder.read(name), let mark = try? ClientMark(json: bytes[...]) else { return nil }
      return mark.isFor(server, profile: profile, user: user) ? mark : nil
    }
    return found.first
  }

  package func keep(_ mark: ClientMark) {
    guard let folder = try? PrivateFolder(creating: path, limit: Self.maximumByteCount) else { return }
    try? folder.deleteAbandonedDrafts()
    try? folder.write(mark.json, to: Self.name(mark.server, mark.profile, mark.user ?? ""))
  }

  /// Returns a file name that does not reveal the user's address.
  private static func name(_ server: ServerAddress, _ profile: String, _ user: String) -> String {
    let text = [server.text, profile, user.lowercased()].joined(separator: "\u{0}")
    return Hex.encode(Digest.sha256([UInt8](text.utf8)[...]).prefix(16))
  }
}
