// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Plays the exchanges of a file against the server program over TLS.
final class ContractPlayer {
  /// A placeholder without a value.
  struct Unknown: Error {
    let placeholder: String
  }

  private let place: ServerPlace
  private let line: SecureLine
  private var shape = ReplyShape()
  private var people: [String: Person] = [:]
  /// The cookies that the server has set, as pairs, by name.
  private var cookies: [String: String] = [:]
  /// The options of the latest ceremony, and of each ceremony by its challenge.
  private var options = ""
  private var optionsByChallenge: [String: String] = [:]

  init(_ place: ServerPlace, _ server: ServerProcess) {
    self.place = place
    line = SecureLine(port: server.port, folder: place.folder.path)
  }

  static func play(_ file: ContractFile) async throws {
    let place = try await ServerPlace(.sqlite(), file.serverOptions, overTLS: true)
    let printed = try await waiting { [path = place.folder.path] in try SecureLine.makeIdentity(in: path) }
    try #require(printed.isEmpty, "\(printed)")
    let server = try await ServerProcess.start(place)
    let player = ContractPlayer(place, server)
    for (title, line, step) in file.steps {
      guard try await player.play(step, "line \(line), \(title)") else { break }
    }
    #expect(try await server.stop() == 0)
    try await place.verifyAudit()
  }

  /// Plays a step and judges it. Returns false if it failed, because later steps build on it.
  private func play(_ step: ContractFile.Step, _ name: String) async throws -> Bool {
    switch step {
    case .console(let command):
      let printed = try await place.run(expanded(command))
      let isDone = !printed.hasSuffix("]\n")
      #expect(isDone, "\(name): \(printed)")
      return isDone
    case .exchange(let exchange):
      let answer = try await ask(exchange)
      let faults = try faults(of: answer, exchange)
      #expect(faults.isEmpty, "\(name): \(faults)\n\(answer.status) \(answer.body)")
      if let challenge = try? answer["challenge"] {
        options = answer.body
        optionsByChallenge[challenge] = answer.body
      }
      return faults.isEmpty
    }
  }

  private func ask(_ exchange: ContractFile.Exchange) async throws -> Answer {
    let body = try await expanded(exchange.body)
    var head: [String] = []
    for field in exchange.head where !(cookies.isEmpty && field.contains("{{cookies}}")) {
      head.append(try await expanded(field.replacing("{{length}}", with: "\(body.utf8.count)")))
    }
    let answer = try line.ask(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    for field in answer.headers("set-cookie") { keepCookie(field) }
    return answer
  }

  /// Keeps a cookie like the client's cookie store, or deletes it if it has expired.
  private func keepCookie(_ field: String) {
    let pair = String(field.prefix { $0 != ";" })
    let name = String(pair.prefix { $0 != "=" })
    cookies[name] = field.lowercased().contains("max-age=0") ? nil : pair
  }

  private func faults(of answer: Answer, _ exchange: ContractFile.Exchange) throws -> [String] {
    var faults: [String] = []
    let isExpected =
      exchange.status.hasSuffix("xx")
      ? "\(answer.status)".first == exchange.status.first : "\(answer.status)" == exchange.status
    if !isExpected { faults.append("status \(answer.status) instead of \(exchange.status)") }
    for (name, value) in exchange.fields {
      if name.hasPrefix("!") {
        if let found = answer.header(String(name.dropFirst())) { faults.append("\(name.dropFirst()): \(found)") }
      } else if name == "set-cookie" {
        faults += cookieFaults(answer, value)
      } else if let found = answer.header(name) {
        if let fault = shape.fault(of: found, value) { faults.append("\(name): \(fault)") }
      } else {
        faults.append("no field \(name)")
      }
    }
    if let reply = exchange.reply { faults += try shape.faults(of: answer.body, against: reply) }
    return faults
  }

  /// Compares a cookie: its name, its value and the set of its attributes.
  private func cookieFaults(_ answer: Answer, _ expected: String) -> [String] {
    func parts(_ field: String) -> (pair: [String], attributes: Set<String>) {
      let parts = field.split(separator: ";").map { $0.drop { $0 == " " } }
      let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) ?? []
      return (pair.map(String.init), Set(parts.dropFirst().map { $0.lowercased() }))
    }
    let (wanted, attributes) = parts(expected)
    guard let found = answer.headers("set-cookie").map(parts).first(where: { $0.pair.first == wanted.first }) else {
      return ["no cookie \(wanted.first ?? "")"]
    }
    var faults: [String] = []
    if found.attributes != attributes { faults.append("cookie attributes \(found.attributes.sorted())") }
    if let value = found.pair.last, let pattern = wanted.last, let fault = shape.fault(of: value, pattern) {
      faults.append("cookie value: \(fault)")
    }
    return faults
  }

  // MARK: Placeholders

  /// Replaces the placeholders of a text.
  private func expanded(_ text: String) async throws -> String {
    var (result, rest) = ("", text[...])
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      result += rest[..<start.lowerBound]
      result += try await value(of: String(rest[start.upperBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  private func value(of placeholder: String) async throws -> String {
    let words = placeholder.split(separator: " ").map(String.init)
    if placeholder == "cookies" { return cookies.values.sorted().joined(separator: "; ") }
    if let value = shape.captured[placeholder] { return value }
    guard words.count >= 2 else { throw Unknown(placeholder: placeholder) }
    switch words[0] {
    case "create":
      let options = words.count > 2 ? try optionsByChallenge[await value(of: words[2])] : options
      return NativeResponse.json(try await person(words[1]).create(CreationOptions(json: options ?? "")))
    case "get":
      let response = try await person(words[1]).get(RequestOptions(json: options))
      return try NativeResponse.json(response, handle: NativeResponse.Handle(words.dropFirst(2).first ?? "userHandle"))
    default: throw Unknown(placeholder: placeholder)
    }
  }

  private func person(_ name: String) throws -> Person {
    if let person = people[name] { return person }
    let person = try Person()
    people[name] = person
    return person
  }
}
