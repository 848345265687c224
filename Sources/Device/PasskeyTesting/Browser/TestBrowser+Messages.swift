// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension TestBrowser {
  /// A request to the server under test.
  public struct Request: Sendable {
    /// The method, such as `POST`.
    public let method: String

    /// The path, with the query.
    public let path: String

    /// The header fields; names are in lower case.
    public let headers: [(name: String, value: String)]

    /// The body; empty if the request has none.
    public let body: [UInt8]
  }

  /// The reply of the server under test.
  public struct Reply: Sendable {
    /// The status.
    public let status: Int

    /// The header fields.
    public let headers: [(name: String, value: String)]

    /// The body.
    public let body: [UInt8]

    /// Creates a reply from what a handler returned.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: some Collection<UInt8> = [UInt8]()) {
      self.status = status
      self.headers = headers
      self.body = [UInt8](body)
    }

    /// Whether the status is one of 200 to 299.
    public var isSuccess: Bool { 200..<300 ~= status }

    /// Returns a member of the body, which is a JSON object, or nil if there is no such text.
    public func text(_ member: String) -> String? {
      try? JSON.parse(body)[member]?.string
    }
  }

  /// The two routes of a ceremony.
  public struct Route: Sendable, ExpressibleByStringLiteral {
    /// The path that takes the first request and returns options.
    public let options: String

    /// The path that takes the response.
    public let verify: String

    /// The member of the body that has the response; nil if the body is the response.
    public let member: String?

    /// Creates a route from two paths.
    public init(options: String, verify: String, member: String? = nil) {
      self.options = options
      self.verify = verify
      self.member = member
    }

    /// Creates a route with the paths `PATH/options` and `PATH/verify`.
    public init(stringLiteral path: String) {
      self.init(options: path + "/options", verify: path + "/verify")
    }

    /// The registration of the sign-in service: `/api/auth/register`.
    public static let registration: Route = "/api/auth/register"

    /// The sign-in of the sign-in service: `/api/auth/login`.
    public static let signIn: Route = "/api/auth/login"

    /// The step-up of the sign-in service: `/api/auth/step-up`.
    public static let stepUp: Route = "/api/auth/step-up"

    func body(with response: [UInt8]) -> [UInt8] {
      guard let member, let value = try? JSON.parse(response) else { return response }
      return JSON.writeObject { (object: inout JSONObjectWriter) in object.write(member, .verbatim(value)) }
    }
  }
}
