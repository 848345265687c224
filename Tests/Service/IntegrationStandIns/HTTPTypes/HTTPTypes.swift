// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of HTTPTypes 1, as far as the pages in Documentation/Integrations use them.

public struct HTTPField: Sendable {
  public struct Name: Hashable, Sendable {
    public let rawName: String

    public init?(_ name: String) {
      guard !name.isEmpty else { return nil }
      rawName = name
    }

    private init(known name: String) {
      rawName = name
    }

    public static let cacheControl = Name(known: "cache-control")
    public static let contentType = Name(known: "content-type")
    public static let cookie = Name(known: "cookie")
    public static let setCookie = Name(known: "set-cookie")
  }

  public let name: Name
  public let value: String

  public init(name: Name, value: String) {
    self.name = name
    self.value = value
  }
}

public struct HTTPFields: Sendable, Sequence, ExpressibleByDictionaryLiteral {
  private var fields: [HTTPField] = []

  public init() {}

  public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
    fields = elements.map { HTTPField(name: $0.0, value: $0.1) }
  }

  public mutating func append(_ field: HTTPField) { fields.append(field) }

  public func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
}

public struct HTTPRequest: Sendable {
  public struct Method: Hashable, Sendable {
    public let rawValue: String

    public init?(rawValue: String) {
      guard !rawValue.isEmpty else { return nil }
      self.rawValue = rawValue
    }

    private init(known name: String) {
      rawValue = name
    }

    public static let get = Method(known: "GET")
    public static let head = Method(known: "HEAD")
    public static let post = Method(known: "POST")
  }

  public let method: Method
  public let authority: String?
  public let path: String?
  public let headerFields: HTTPFields

  public init(method: Method, authority: String?, path: String?, headerFields: HTTPFields) {
    self.method = method
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
  }
}

public struct HTTPResponse: Sendable {
  public struct Status: Hashable, Sendable {
    public let code: Int

    public init(code: Int) {
      self.code = code
    }

    public static let ok = Status(code: 200)
    public static let noContent = Status(code: 204)
    public static let badRequest = Status(code: 400)
    public static let unauthorized = Status(code: 401)
    public static let notFound = Status(code: 404)
    public static let conflict = Status(code: 409)
    public static let contentTooLarge = Status(code: 413)
    public static let internalServerError = Status(code: 500)
    public static let serviceUnavailable = Status(code: 503)
  }
}
