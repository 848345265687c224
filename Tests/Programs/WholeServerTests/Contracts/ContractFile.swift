// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

/// Recorded exchanges of a client with a server, from a file in `Vectors/clients`. The README there describes the format.
struct ContractFile: Sendable {
  /// A request, and what its reply must look like.
  struct Exchange: Sendable {
    /// The lines of the request's head.
    var head: [String]
    var body: String
    /// The status, such as `200`, or `2xx` for any success.
    var status: String
    /// The expected header fields. A name that begins with `!` must be absent.
    var fields: [(name: String, value: String)]
    /// The expected JSON, or nil if the client ignores the body.
    var reply: String?
  }

  enum Step: Sendable {
    case exchange(Exchange)
    /// A command of `passkey-server` on the same database.
    case console(String)
  }

  struct Malformed: Error {
    let line: Int
    let reason: String
  }

  /// The options of the server.
  private(set) var serverOptions: [String] = []
  private(set) var steps: [(title: String, line: Int, step: Step)] = []

  static let folder = "\(projectFolder)/Vectors/clients"

  /// The paths of all files, below ``folder``.
  static let all: [String] = {
    let folders = (try? File.names(in: folder)) ?? []
    return folders.flatMap { (name) in
      ((try? File.names(in: "\(folder)/\(name)")) ?? []).filter { $0.hasSuffix(".http") }.map { "\(name)/\($0)" }
    }
  }()

  init(path: String) throws {
    try self.init(String(decoding: File.bytes("\(Self.folder)/\(path)"), as: UTF8.self))
  }

  init(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var section: (title: String, line: Int, lines: [String])?
    func finished() throws -> (String, Int, Step)? {
      guard let section else { return nil }
      return (section.title, section.line, try Self.step(section.lines, at: section.line))
    }
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("### ") {
        if let step = try finished() { steps.append(step) }
        section = (String(line.dropFirst(4)), index + 1, [])
      } else if section != nil {
        section?.lines.append(line)
      } else if line.hasPrefix("# server: ") {
        serverOptions += line.dropFirst("# server: ".count).split(separator: " ").map(String.init)
      } else if !line.isEmpty, !line.hasPrefix("#") {
        throw Malformed(line: index + 1, reason: "text before the first ###")
      }
    }
    if let step = try finished() { steps.append(step) }
  }

  private static func step(_ lines: [String], at line: Int) throws -> Step {
    let lines = trimmed(lines)
    if lines.count == 1, lines[0].hasPrefix("$ ") { return .console(String(lines[0].dropFirst(2))) }
    guard let status = lines.firstIndex(where: { $0.hasPrefix("HTTP/1.1 ") }) else {
      throw Malformed(line: line, reason: "no line with the status")
    }
    let (head, body) = message(lines[..<status])
    let (replyHead, replyBody) = message(lines[status...])
    guard let first = head.first, first.hasSuffix(" HTTP/1.1") else {
      throw Malformed(line: line, reason: "no request line")
    }
    let fields = try replyHead.dropFirst().map { (field) in
      if field.hasPrefix("!") { return (name: "!" + field.dropFirst().drop { $0 == " " }.lowercased(), value: "") }
      guard let colon = field.firstIndex(of: ":") else { throw Malformed(line: line, reason: "not a field: \(field)") }
      let value = field[field.index(after: colon)...].drop { $0 == " " }
      return (name: field[..<colon].lowercased(), value: String(value))
    }
    let code = lines[status].split(separator: " ")[1]
    return .exchange(
      Exchange(head: head, body: body, status: String(code), fields: fields, reply: replyBody.isEmpty ? nil : replyBody)
    )
  }

  /// Splits a message at its first empty line.
  private static func message(_ lines: ArraySlice<String>) -> (head: [String], body: String) {
    let lines = trimmed(Array(lines))
    let end = lines.firstIndex(of: "") ?? lines.endIndex
    return (Array(lines[..<end]), lines[end...].dropFirst().joined(separator: "\n"))
  }

  private static func trimmed(_ lines: [String]) -> [String] {
    var lines = lines[...]
    while lines.first?.isEmpty == true { lines.removeFirst() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return Array(lines)
  }
}
