// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyServiceTestSupport

/// A server's OpenAPI description, which the tests compare with real responses.
struct OpenAPIDescription: Sendable {
  let document: JSONValue

  /// A description is larger than the limit for messages.
  static let maximumSize = 1 << 20

  init(_ json: [UInt8]) throws {
    document = try JSON.parse(json, maximumSize: Self.maximumSize)
  }

  /// Returns the differences between a response and its description. Problems at undocumented paths must have the
  /// common form.
  func faults(
    in answer: RawClient.Answer, to method: String, _ target: String, note: @escaping (String) -> Void = { _ in }
  ) throws -> [String] {
    let checker = SchemaChecker(schemas: try document.require("components").require("schemas"), note: note)
    guard method != "OPTIONS", let operation = try operation(method, target) else {
      return answer.status < 400 ? [] : try problemFaults(answer, checker)
    }
    guard let response = try response(answer.status, of: operation) else {
      return ["\(answer.status): not described"]
    }
    let name = try operation.require("operationId").string
    return try headerFaults(answer, response, checker)
      + bodyFaults(answer, response, checker, of: name, isHead: method == "HEAD")
  }

  /// Returns the differences between the body of an accepted request and its description.
  func faults(inRequest body: String, to method: String, _ target: String) throws -> [String] {
    guard let described = try operation(method, target)?["requestBody"] else { return [] }
    let checker = SchemaChecker(schemas: try document.require("components").require("schemas"))
    let schema = try described.require("content").require("application/json").require("schema")
    return try checker.faults(in: JSON.parse(body), by: schema)
  }

  private func operation(_ method: String, _ target: String) throws -> JSONValue? {
    let path = target.prefix { $0 != "?" }
    for item in try document.require("paths").members where ObservedResponses.matches(path, item.name) {
      return try item.value[method == "HEAD" ? "get" : method.lowercased()]
    }
    return nil
  }

  /// Returns the description of a response. Resolves references to shared responses.
  private func response(_ status: Int, of operation: JSONValue) throws -> JSONValue? {
    guard let response = try operation.require("responses")[String(status)] else { return nil }
    guard let target = try response["$ref"]?.string else { return response }
    guard target.hasPrefix(Self.responses) else { return nil }
    return try document.require("components").require("responses")[String(target.dropFirst(Self.responses.count))]
  }

  static let responses = "#/components/responses/"

  private func bodyFaults(
    _ answer: RawClient.Answer, _ response: JSONValue, _ checker: SchemaChecker, of name: String, isHead: Bool
  ) throws -> [String] {
    let type = answer.header("content-type")
    guard let content = try response["content"] else {
      return (type.map { ["a body of \($0): not described"] } ?? []) + (answer.body.isEmpty ? [] : ["a body"])
    }
    guard let type, let schema = try content[type]?.require("schema") else {
      return ["a body of \(type ?? "no type"): not described"]
    }
    if isHead { return answer.body.isEmpty ? [] : ["a body for HEAD"] }
    if answer.status >= 400 { return try problemFaults(answer, checker) }
    guard type == "application/json" else {
      return try schema.require("type").string == "string" && !answer.body.isEmpty ? [] : ["no text"]
    }
    let body = try JSON.parse(answer.body, maximumSize: Self.maximumSize)
    return try checker.faults(in: body, by: schema, as: name)
  }

  /// Checks that the status and the request ID in the body match those in the head.
  private func problemFaults(_ answer: RawClient.Answer, _ checker: SchemaChecker) throws -> [String] {
    guard answer.header("content-type")?.hasSuffix("json") == true else { return ["no problem"] }
    let problem = try JSON.parse(answer.body)
    let schema = try JSON.parse(Array(##"{"$ref":"#/components/schemas/Problem"}"##.utf8))
    let faults = try checker.faults(in: problem, by: schema)
    guard faults.isEmpty else { return faults }
    guard try problem.require("status").integer(Int.self) == answer.status else { return ["another status"] }
    guard try problem.require("requestId").string == answer.header("x-request-id") else { return ["another request"] }
    return []
  }

  private func headerFaults(
    _ answer: RawClient.Answer, _ response: JSONValue, _ checker: SchemaChecker
  ) throws -> [String] {
    var faults: [String] = []
    var described: Set<String> = []
    for header in try response.require("headers").members {
      described.insert(header.name.lowercased())
      let values = answer.headers.filter { $0.name == header.name.lowercased() }.map(\.value)
      if values.isEmpty, try header.value.require("required").bool { faults.append("\(header.name): missing") }
      let schema = try header.value.require("schema")
      let isNumber = try schema.require("type").string == "integer"
      for value in values {
        let json = JSON.write(isNumber ? Int64(value).map { .integer($0) } ?? .null : .string(value))
        faults += try checker.faults(in: JSON.parse(json), by: schema, at: header.name)
      }
    }
    let others = Set(answer.headers.map(\.name)).subtracting(described).subtracting(Self.general)
    return faults + others.sorted().map { "\($0): not described" }
  }

  /// General header fields and those for browsers and caches, which the description omits.
  private static let general: Set<String> = [
    "access-control-allow-credentials", "access-control-allow-origin", "access-control-expose-headers", "cache-control",
    "connection", "content-length", "content-security-policy", "content-type", "cross-origin-resource-policy", "date",
    "referrer-policy", "vary", "x-content-type-options",
  ]
}
