// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnClient
internal import WireFormats

/// The sessions that were opened and not yet ended: a file for each server, profile and user, which nobody else can read.
///
/// What is in it is the session's token, which is good for minutes; a passkey's private key never is.
struct SessionStore {
  private let path: String

  /// The store in its usual place.
  init() throws(CommandFailure) {
    guard let path = StateFolder.path(of: "passkey") else {
      throw .usage("there is no HOME to keep a session in", hint: "set XDG_STATE_HOME, or use --no-store")
    }
    self.path = path
  }

  init(path: String) {
    self.path = path
  }

  /// Every session of a server, under a profile.
  func sessions(at server: ServerAddress, _ profile: String) throws(CommandFailure) -> [ServerSession] {
    guard let folder = try PrivateFolder(at: path) else { return [] }
    var sessions: [ServerSession] = []
    for name in try folder.names() where name.hasSuffix(Self.suffix) {
      // What is not understood is a later version's, or nobody's.
      guard let bytes = try folder.read(name), let session = try? ServerSession(json: bytes[...]) else { continue }
      if session.server == server, session.profile == profile { sessions.append(session) }
    }
    return sessions
  }

  /// Keeps a session, in the place of the same user's one.
  func keep(_ session: ServerSession) throws(CommandFailure) {
    let folder = try PrivateFolder(making: path)
    try folder.deleteAbandonedDrafts()
    try folder.write(session.json, to: Self.name(of: session))
  }

  /// Forgets a session.
  func forget(_ session: ServerSession) throws(CommandFailure) {
    guard let folder = try PrivateFolder(at: path) else { return }
    try folder.deleteAbandonedDrafts()
    try folder.delete(Self.name(of: session))
  }

  /// Keeps other processes of this program from the store for as long as `body` takes: a token by which a session is
  /// renewed is good for one of them.
  func locked<Value>(_ body: () async throws(CommandFailure) -> Value) async throws(CommandFailure) -> Value {
    let folder = try PrivateFolder(making: path)
    try folder.lock()
    defer { folder.unlock() }
    return try await body()
  }

  private static let suffix = ".json"

  /// A name that says nothing of the user, whatever the user is called.
  private static func name(of session: ServerSession) -> String {
    let parts = [session.server.text, session.profile, session.user ?? ""]
    let digest = Digest.sha256([UInt8](parts.joined(separator: "\u{0}").utf8)[...])
    return Hex.encode(digest.prefix(16)) + suffix
  }
}
