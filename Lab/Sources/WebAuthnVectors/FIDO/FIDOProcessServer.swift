// SPDX-License-Identifier: Apache-2.0

internal import FIDOEndpoints
internal import PasskeyCrypto
package import PasskeyFormats
internal import WebAuthnTypes

/// A relying party of this project's library with FIDO's endpoints, in the same process.
package actor FIDOProcessServer {
  private var server: FIDOServer
  private let now: UnixTime

  /// The codes of the error of each BLOB that the server refused, by the name of the BLOB.
  package let refusedBlobs: [String: [String]]

  /// The origin of the server's pages.
  package static let origin = ScenarioDefaults.origin

  /// Creates a server whose clock stands still.
  ///
  /// - Throws: The code of a failure of libcrypto.
  package init(at now: UnixTime) throws {
    let metadata = try FIDOMetadata()
    let verified = FIDOServerMetadata(
      blobs: metadata.blobs.map { (name: $0.name, token: $0.token) },
      anchors: [try X509Certificate(der: metadata.anchor)],
      revocationLists: try metadata.revocationLists.map { (list) in try RevocationList(der: list) }, at: now)
    refusedBlobs = verified.refused
    server = try FIDOServer(
      id: RelyingPartyID(ScenarioDefaults.relyingPartyID), origins: [WebOrigin(Self.origin)], metadata: verified)
    self.now = now
  }

  /// Answers a request.
  package func answer(_ path: String, _ body: [UInt8]) -> FIDOReply {
    guard let reply = server.answer(path, body, session: "1", at: now) else {
      return FIDOReply(status: 404, body: [])
    }
    return FIDOReply(status: reply.status, body: reply.body)
  }
}

extension FIDOResults {
  /// Plays every test against a relying party of this project's library, which must refuse for the stated reasons.
  ///
  /// - Parameters:
  ///   - now: The time of the server.
  ///   - change: Changes the replies of the server, as a planted fault.
  /// - Returns: The results, in the order of the tests.
  /// - Throws: The code of a failure of libcrypto.
  package static func inProcess(
    at now: UnixTime, change: @escaping @Sendable (_ path: String, FIDOReply) -> FIDOReply = { $1 }
  ) async throws -> Self {
    let server = try FIDOProcessServer(at: now)
    let player = FIDOPlayer<Never>(origin: FIDOProcessServer.origin, run: "run", pinsReasons: true) { (path, body) in
      change(path, await server.answer(path, body))
    }
    var results = await player.playAll()
    results.judgeBlobs(refused: server.refusedBlobs)
    return results
  }
}
