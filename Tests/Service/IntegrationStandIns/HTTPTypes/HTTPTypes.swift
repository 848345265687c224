// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of HTTPTypes 1, as far as the pages in Documentation/Integrations use them.

public struct HTTPField: Sendable {
  public struct Name: Sendable {
    public let rawName: String

    public init?(_ name: String) {
      guard !name.isEmpty else { return nil }
      rawName = name
    }
  }

  public let name: Name
  public let value: String

  public init(name: Name, value: String) {
    self.name = name
    self.value = value
  }
}

public struct HTTPFields: Sendable, Sequence {
  private var fields: [HTTPField] = []

  public init() {}

  public mutating func append(_ field: HTTPField) { fields.append(field) }

  public func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
}

public struct HTTPRequest: Sendable {
  public struct Method: Sendable {
    public let rawValue: String

    public init?(rawValue: String) {
      guard !rawValue.isEmpty else { return nil }
      self.rawValue = rawValue
    }
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
  public struct Status: Sendable {
    public let code: Int

    public init(code: Int) {
      self.code = code
    }
  }
}
