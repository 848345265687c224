// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of AWSLambdaRuntime 2, AWSLambdaEvents and HTTPTypes, as far as
// Documentation/Integrations/AWSLambda.md uses them. They let our tests compile and run the page's code.

package struct HTTPRequest: Sendable {
  package struct Method: Sendable {
    package let rawValue: String
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

package struct APIGatewayV2Request: Sendable {
  package struct Context: Sendable {
    package struct HTTP: Sendable {
      package let method: HTTPRequest.Method
      package let sourceIp: String
    }

    package let http: HTTP
  }

  package let rawPath: String
  package let rawQueryString: String
  package let cookies: [String]?
  package let headers: [String: String]
  package let context: Context
  package let body: String?
  package let isBase64Encoded: Bool

  package init(
    method: String, sourceIp: String, rawPath: String, rawQueryString: String, cookies: [String]?,
    headers: [String: String], body: String?, isBase64Encoded: Bool
  ) {
    context = Context(http: .init(method: .init(rawValue: method), sourceIp: sourceIp))
    self.rawPath = rawPath
    self.rawQueryString = rawQueryString
    self.cookies = cookies
    self.headers = headers
    self.body = body
    self.isBase64Encoded = isBase64Encoded
  }
}

package struct APIGatewayV2Response: Sendable {
  package let statusCode: HTTPResponse.Status
  package let headers: [String: String]?
  package let body: String?
  package let isBase64Encoded: Bool?
  package let cookies: [String]?

  package init(
    statusCode: HTTPResponse.Status, headers: [String: String]? = nil, body: String? = nil,
    isBase64Encoded: Bool? = nil, cookies: [String]? = nil
  ) {
    self.statusCode = statusCode
    self.headers = headers
    self.body = body
    self.isBase64Encoded = isBase64Encoded
    self.cookies = cookies
  }
}
