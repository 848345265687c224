// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyHTTP

/// A response that is the same for all clients, with an entity tag, and compressed for clients that accept it.
struct StaticFile: Sendable {
  private let plain: EndpointResponse
  private let compressed: EndpointResponse?

  init(_ type: String, _ body: [UInt8], headers: [(name: String, value: String)]) {
    // 96 bits  [a tag compares versions of one file]
    let tag = Base64URL.encode(Digest.sha256(body).prefix(12))
    func response(_ body: [UInt8], _ tag: String, encoding: String?) -> EndpointResponse {
      var response = EndpointResponse(.ok, contentType: type, body: body)
      for header in headers { response.headers.set(header.name, header.value) }
      response.headers.set("etag", "\"\(tag)\"")
      response.headers.add("vary", "accept-encoding")
      if let encoding { response.headers.set("content-encoding", encoding) }
      return response
    }
    plain = response(body, tag, encoding: nil)
    compressed = Gzip.compress(body).map { response($0, "\(tag)-gzip", encoding: "gzip") }
  }

  /// Returns the file, or 304 if the client has this version.
  func response(to request: EndpointRequest) -> EndpointResponse {
    let chosen = compressed.flatMap { Self.acceptsGzip(request) ? $0 : nil } ?? plain
    guard let tag = chosen.headers["etag"], Self.list(request.headers.values("if-none-match")).contains(tag) else {
      return chosen
    }
    var unchanged = chosen
    unchanged.status = EndpointStatus(rawValue: 304)
    unchanged.body = []
    unchanged.headers.remove("content-type")
    unchanged.headers.remove("content-encoding")
    return unchanged
  }

  private static func acceptsGzip(_ request: EndpointRequest) -> Bool {
    list(request.headers.values("accept-encoding")).contains { (coding) in
      let parts = coding.lowercased().split(separator: ";")
      return parts.first == "gzip" && !parts.dropFirst().contains { $0 == "q=0" }
    }
  }

  /// Returns the elements of comma-separated fields. A weak tag counts as its strong form (RFC 9110 §13.1.2).
  private static func list(_ fields: [String]) -> [String] {
    fields.flatMap { $0.split(separator: ",") }.map { (element) in
      let text = element.filter { $0 != " " && $0 != "\t" }
      return text.hasPrefix("W/") ? String(text.dropFirst(2)) : text
    }
  }
}
