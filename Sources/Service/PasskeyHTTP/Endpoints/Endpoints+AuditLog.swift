// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService

// The audit log for monitors, as C2SP tlog-tiles describes it, without entry bundles: records are not public.

extension Endpoints {
  static let auditLog = [
    Endpoint(
      name: .auditCheckpoint,
      summary: "Return the newest checkpoint of the audit log, preferably one with cosignatures",
      answers: [.init(.text(contentType: checkpointType))], failures: [.notFound, .tooManyRequests],
      access: .anonymous { (endpoints, call) in try await endpoints.checkpoint(call) }),
    Endpoint(
      name: .auditTile, summary: "Return hashes of the audit log: {tile} is a path such as 0/x001/234 or 1/000.p/5",
      answers: [.init(.bytes(contentType: tileType))], failures: [.notFound, .tooManyRequests],
      access: .anonymous { (endpoints, call) in try await endpoints.tile(call) }),
  ]

  private static let checkpointType = "text/plain; charset=utf-8"
  private static let tileType = "application/octet-stream"

  private func checkpoint(_ call: Call) async throws -> Reply {
    try tileLimiter.require(.address(call.request.client), at: call.instant)
    guard let checkpoint = try await service.auditCheckpoint(at: call.context.time) else {
      throw EndpointError(.notFound)
    }
    // A checkpoint is signed about once a second.
    return .file(checkpoint.note, Self.checkpointType, caching: "public, max-age=1")
  }

  private func tile(_ call: Call) async throws -> Reply {
    try tileLimiter.require(.address(call.request.client), at: call.instant)
    let path = call.request.parameters["tile"] ?? ""
    guard let hashes = try await service.auditTile(at: "tile/\(path)") else { throw EndpointError(.notFound) }
    // A tile of one width never changes while the log exists. 1 day [a log that begins after a restoration has the same
    // paths, and its tiles must not be mixed with older ones for long]
    return .file(hashes, Self.tileType, caching: "public, max-age=86400, immutable")
  }
}

extension Reply {
  /// Returns a reply with public bytes.
  fileprivate static func file(_ bytes: Bytes, _ type: String, caching: String) -> Reply {
    var response = EndpointResponse(.ok, contentType: type, body: Array(bytes))
    response.headers.set("cache-control", caching)
    return .complete(response)
  }
}
