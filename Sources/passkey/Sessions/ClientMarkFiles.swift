// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnClient
internal import WireFormats

/// The client marks by which servers recognize this client: one file per server, profile and user, beside the sessions.
///
/// Only this user can read the files. Signing out keeps them. Read and write errors are ignored: without a mark, the
/// server treats this client as unknown.
struct ClientMarkFiles: ClientMarkStore {
  private let path: String

  /// Opens the store. Returns nil if there is no folder for state.
  init?() {
    guard let path = StateFolder.path(of: "passkey") else { return nil }
    self.path = "\(path)/clients"
  }

  func mark(at server: ServerAddress, profile: String, user: String?) -> ClientMark? {
    guard let folder = try? PrivateFolder(at: path), let names = try? names(in: folder, server, profile, user) else {
      return nil
    }
    let found = names.lazy.compactMap { (name) -> ClientMark? in
      guard let bytes = try? folder.read(name), let mark = try? ClientMark(json: bytes[...]) else { return nil }
      return mark.isFor(server, profile: profile, user: user) ? mark : nil
    }
    return found.first
  }

  func keep(_ mark: ClientMark) {
    guard let folder = try? PrivateFolder(making: path) else { return }
    try? folder.deleteAbandonedDrafts()
    try? folder.write(mark.json, to: Self.name(mark.server, mark.profile, mark.user ?? ""))
  }

  /// Returns the file name of a user. Without a user, returns all file names, newest first.
  private func names(
    in folder: PrivateFolder, _ server: ServerAddress, _ profile: String, _ user: String?
  ) throws(CommandFailure) -> [String] {
    if let user { return [Self.name(server, profile, user)] }
    return try folder.namesByAge()
  }

  /// Returns a file name that does not reveal the user's address.
  private static func name(_ server: ServerAddress, _ profile: String, _ user: String) -> String {
    let text = [server.text, profile, user.lowercased()].joined(separator: "\u{0}")
    return Hex.encode(Digest.sha256([UInt8](text.utf8)[...]).prefix(16))
  }
}
