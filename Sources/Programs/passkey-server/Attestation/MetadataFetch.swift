// SPDX-License-Identifier: Apache-2.0

internal import PasskeyTransfers
internal import WebAuthnAttestation

extension MetadataReader.FetchFailure {
  /// Describes a fault of libcurl.
  fileprivate init(_ fault: TransferFault) {
    self.init(reason: fault.reason)
  }
}

extension MetadataReader {
  /// Fetches a URL with libcurl.
  static func fetch(_ url: String) async -> Result<[UInt8], FetchFailure> {
    let queue = TransferQueue()
    defer { queue.close() }
    let outcome = await queue.perform {
      var content = HTTPContent(method: "GET", userAgent: "passkey-server")
      content.followsRedirects = true
      var request = TransferRequest(
        url, scheme: url.hasPrefix("https:") ? "https" : "http", .http(content), connectTimeout: .seconds(10),
        totalTimeout: .seconds(120), maximumBodyByteCount: MetadataBlob.maximumByteCount,
        maximumHeaderByteCount: 1 << 16)
      request.proxy = nil
      return request
    }
    switch outcome.result {
    case .success(let reply) where reply.status == 200: return .success(reply.body)
    case .success(let reply): return .failure(FetchFailure(reason: "status \(reply.status)"))
    case .failure(let fault): return .failure(FetchFailure(fault))
    }
  }
}
