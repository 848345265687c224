// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import Testing

/// A response with its parsed body.
package struct Answer: Sendable {
  package let status: Int
  package let body: String
  package let fields: [(name: String, value: String)]

  package init(_ raw: RawClient.Answer) {
    status = raw.status
    body = raw.body
    fields = raw.headers
  }

  package func header(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  package func headers(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The cookies that the response sets, by name.
  package var cookies: [String: String] {
    var cookies: [String: String] = [:]
    for field in headers("set-cookie") {
      let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      cookies[String(pair[0])] = String(pair[1])
    }
    return cookies
  }

  /// The code of the problem.
  package var code: String? { try? self["code"] }

  /// Returns a string of the body by the path of member names.
  package subscript(path: String...) -> String {
    get throws {
      var value = try JSON.parse(body)
      for name in path { value = try value.require(name) }
      return try value.string
    }
  }

  /// Returns the number of elements of an array in the body.
  package func count(_ name: String) throws -> Int {
    try Array(JSON.parse(body).require(name).array).count
  }

  /// Expects a problem with this status and code.
  package func expect(_ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self.status == status, "\(body)", sourceLocation: sourceLocation)
    #expect(self.code == code, "\(body)", sourceLocation: sourceLocation)
    #expect(header("content-type")?.hasSuffix("json") == true, sourceLocation: sourceLocation)
    if status == 401 { #expect(header("www-authenticate") != nil, sourceLocation: sourceLocation) }
  }

  /// Expects success.
  @discardableResult
  package func expect(_ status: Int, sourceLocation: SourceLocation = #_sourceLocation) -> Answer {
    #expect(self.status == status, "\(body)", sourceLocation: sourceLocation)
    return self
  }
}
