// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of HTTPTypes 1, as far as the pages in Documentation/Integrations use them.

package struct HTTPField: Sendable {
  package struct Name: Sendable {
    package let rawName: String

    package init?(_ name: String) {
      guard !name.isEmpty else { return nil }
      rawName = name
    }
  }

  package let name: Name
  package let value: String

  package init(name: Name, value: String) {
    self.name = name
    self.value = value
  }
}

package struct HTTPFields: Sendable, Sequence {
  private var fields: [HTTPField] = []

  package init() {}

  package mutating func append(_ field: HTTPField) { fields.append(field) }

  package func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
}

package struct HTTPRequest: Sendable {
  package struct Method: Sendable {
    package let rawValue: String

    package init?(rawValue: String) {
      guard !rawValue.isEmpty else { return nil }
      self.rawValue = rawValue
    }
  }

  package let method: Method
  package let authority: String?
  package let path: String?
  package let headerFields: HTTPFields

  package init(method: Method, authority: String?, path: String?, headerFields: HTTPFields) {
    self.method = method
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
  }
}

package struct HTTPResponse: Sendable {
  package struct Status: Sendable {
    package let code: Int

    package init(code: Int) {
      self.code = code
    }
  }
}
