// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of AWSLambdaEvents 1, as far as Documentation/Integrations/AWSLambda.md uses them.

package import HTTPTypesStandIn

package typealias HTTPHeaders = [String: String]

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
  package let cookies: [String]
  package let headers: HTTPHeaders
  package let context: Context
  package let body: String?
  package let isBase64Encoded: Bool

  package init(
    method: HTTPRequest.Method, sourceIp: String, rawPath: String, rawQueryString: String, cookies: [String],
    headers: HTTPHeaders, body: String?, isBase64Encoded: Bool
  ) {
    context = Context(http: .init(method: method, sourceIp: sourceIp))
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
  package let headers: HTTPHeaders?
  package let body: String?
  package let isBase64Encoded: Bool?
  package let cookies: [String]?

  package init(
    statusCode: HTTPResponse.Status, headers: HTTPHeaders? = nil, body: String? = nil,
    isBase64Encoded: Bool? = nil, cookies: [String]? = nil
  ) {
    self.statusCode = statusCode
    self.headers = headers
    self.body = body
    self.isBase64Encoded = isBase64Encoded
    self.cookies = cookies
  }
}
