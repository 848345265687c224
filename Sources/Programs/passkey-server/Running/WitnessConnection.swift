// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import PasskeyTransfers
internal import PasskeyTransparencyLog

/// The connection to a witness over HTTP (C2SP tlog-witness).
final class WitnessConnection: Sendable {
  private let url: String
  private let isPlain: Bool
  private let queue = TransferQueue()

  // 5 s and 30 s [no request waits for them; a witness may fetch nothing and verifies one signature]
  private static let connectTimeout = Duration.seconds(5)
  private static let totalTimeout = Duration.seconds(30)

  init(_ witness: AuditWitness) {
    url = "\(witness.url)/\(WitnessRequest.path)"
    isPlain = witness.url.lowercased().hasPrefix("http:")
  }

  /// Sends a request.
  func ask(_ request: WitnessRequest) async -> WitnessAnswer {
    let (url, isPlain) = (url, isPlain)
    let outcome = await queue.perform {
      let content = HTTPContent(method: "POST", body: request.body, userAgent: "passkey-server")
      var transfer = TransferRequest(
        url, scheme: isPlain ? "http" : "https", .http(content), connectTimeout: Self.connectTimeout,
        totalTimeout: Self.totalTimeout, maximumBodyByteCount: WitnessResponse.maximumByteCount,
        maximumHeaderByteCount: 1 << 16)
      // A witness on this machine needs no proxy.
      if !isPlain { transfer.proxy = nil }
      transfer.reusesConnections = true
      return transfer
    }
    switch outcome.result {
    case .success(let reply):
      return .answered(status: reply.status, mediaType: reply.field("content-type"), body: reply.body[...])
    case .failure(let fault): return .failed(reason: fault.reason)
    }
  }

  /// Closes the connection and waits until its thread has ended.
  func close() async { await queue.end() }
}
