// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of AWSLambdaEvents 1, as far as Documentation/Integrations/AWSLambda.md uses them.

public import HTTPTypesStandIn

public typealias HTTPHeaders = [String: String]

public struct APIGatewayV2Request: Sendable {
  public struct Context: Sendable {
    public struct HTTP: Sendable {
      public let method: HTTPRequest.Method
      public let sourceIp: String
    }

    public let http: HTTP
  }

  public let rawPath: String
  public let rawQueryString: String
  public let cookies: [String]
  public let headers: HTTPHeaders
  public let context: Context
  public let body: String?
  public let isBase64Encoded: Bool

  public init(
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

public struct APIGatewayV2Response: Sendable {
  public let statusCode: HTTPResponse.Status
  public let headers: HTTPHeaders?
  public let body: String?
  public let isBase64Encoded: Bool?
  public let cookies: [String]?

  public init(
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
