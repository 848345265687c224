// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of Hummingbird 2, as far as the pages in Documentation/Integrations use them.

internal import Foundation
public import HTTPTypesStandIn
public import NIOCoreStandIn

public struct RequestBody: Sendable {
  private let buffer: ByteBuffer

  public init(buffer: ByteBuffer) {
    self.buffer = buffer
  }

  public func collect(upTo maxSize: Int) async throws -> ByteBuffer {
    guard buffer.readableBytes <= maxSize else { throw NIOTooManyBytesError() }
    return buffer
  }
}

public struct Request: Sendable {
  public let head: HTTPRequest
  public var body: RequestBody
  public var method: HTTPRequest.Method { head.method }
  public var headers: HTTPFields { head.headerFields }

  public init(head: HTTPRequest, body: RequestBody) {
    self.head = head
    self.body = body
  }

  public mutating func collectBody(upTo maxSize: Int) async throws -> ByteBuffer {
    let buffer = try await body.collect(upTo: maxSize)
    body = RequestBody(buffer: buffer)
    return buffer
  }

  public func decode<Value: Decodable>(as type: Value.Type, context: some RequestContext) async throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(try await body.collect(upTo: 1 << 21).readableBytesView))
    } catch is DecodingError {
      throw HTTPError(.badRequest)
    }
  }

  public var cookies: Cookies { Cookies(headers: headers) }
}

public struct ResponseBody: Sendable {
  public let buffer: ByteBuffer

  public init() {
    buffer = ByteBuffer(bytes: [])
  }

  public init(byteBuffer: ByteBuffer) {
    buffer = byteBuffer
  }
}

public struct Response: Sendable {
  public var status: HTTPResponse.Status
  public var headers: HTTPFields
  public var body: ResponseBody

  public init(status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: ResponseBody = ResponseBody()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The server sends the body that a response has, also to `HEAD`.
  public func createHeadResponse() -> Response { Response(status: status, headers: headers) }

  public mutating func setCookie(_ cookie: Cookie) {
    headers.append(HTTPField(name: .setCookie, value: cookie.description))
  }
}

public protocol HTTPResponseError: Error {
  var status: HTTPResponse.Status { get }
}

public struct HTTPError: HTTPResponseError {
  public let status: HTTPResponse.Status

  public init(_ status: HTTPResponse.Status) {
    self.status = status
  }
}

extension NIOTooManyBytesError: HTTPResponseError {
  public var status: HTTPResponse.Status { .contentTooLarge }
}

public struct Cookie: Sendable, CustomStringConvertible {
  public let name: String
  public let value: String
  public let description: String

  public enum SameSite: String, Sendable {
    case lax = "Lax"
    case strict = "Strict"
    case none = "None"
  }

  public init(
    name: String, value: String, path: String? = nil, secure: Bool = false, httpOnly: Bool = true,
    sameSite: SameSite? = nil
  ) {
    self.name = name
    self.value = value
    description =
      "\(name)=\(value)" + (path.map { "; Path=\($0)" } ?? "") + (secure ? "; Secure" : "")
      + (httpOnly ? "; HttpOnly" : "") + (sameSite.map { "; SameSite=\($0.rawValue)" } ?? "")
  }
}

public struct Cookies: Sendable {
  let headers: HTTPFields

  public subscript(name: String) -> Cookie? {
    for field in headers where field.name == .cookie {
      for pair in field.value.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2, parts[0] == name { return Cookie(name: name, value: parts[1]) }
      }
    }
    return nil
  }
}

/// Values under keys, such as those of sessions.
public protocol PersistDriver: Sendable {
  func set<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) async throws
  func get<Object: Codable & Sendable>(key: String, as: Object.Type) async throws -> Object?
  func remove(key: String) async throws
}

public actor MemoryPersistDriver: PersistDriver {
  private var values: [String: any Sendable] = [:]

  public init() {}

  public func set<Object: Codable & Sendable>(key: String, value: Object, expires: Duration?) { values[key] = value }

  public func get<Object: Codable & Sendable>(key: String, as: Object.Type) -> Object? { values[key] as? Object }

  public func remove(key: String) { values[key] = nil }
}

// Names that ours share, so that a page must name ours with their module.

public struct RequestID {}
