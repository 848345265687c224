// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient
@testable import WebAuthnTypes

/// The options that `Scripts/interop browser-options` gives to a Chromium, with the results that it recorded.
struct BrowserComparisonTests {
  /// Options and what the client makes of them.
  struct Probe {
    let isCreation: Bool
    let options: ExtensionValue
    let result: String
    let text: String
  }

  @Test func `the client makes of options what a browser makes of them`() async throws {
    let probes = try Self.probes()
    #expect(probes.count >= 150)
    for probe in probes {
      let world = try World(pin: "1234", interaction: TestInteraction(pins: ["1234"]))
      let first = world.creationOptions { (options) in options.authenticatorSelection.residentKey = .required }
      let credential = try await world.client.create(first).id
      let json = Self.text(of: probe.options, Base64URL.encode(credential.bytes))
      #expect(await Self.result(of: json, probe.isCreation, world.client) == probe.result, "\(probe.text)")
    }
  }

  /// Returns the name of the exception, or "ok".
  private static func result(of json: [UInt8], _ isCreation: Bool, _ client: Client) async -> String {
    do throws(ClientError) {
      if isCreation {
        _ = try await client.create(CreationOptions(asReadByBrowser: json))
      } else {
        _ = try await client.get(RequestOptions(asReadByBrowser: json))
      }
      return "ok"
    } catch {
      return error.domName
    }
  }

  // MARK: The file

  private static func probes() throws -> [Probe] {
    let file = try JSON.parse(try File.bytes("\(projectFolder)/Tests/Interop/browser-options.json")[...])
    let bases = try file.require("bases")
    var probes: [Probe] = []
    for probe in try file.require("same").array { probes.append(try Self.probe(probe, bases)) }
    for group in try file.require("different").array {
      for probe in try group.require("probes").array { probes.append(try Self.probe(probe, bases)) }
    }
    return probes
  }

  private static func probe(_ json: JSONValue, _ bases: JSONValue) throws -> Probe {
    let verb = try json.require("verb").string
    var options = try ExtensionValue(bases.require(verb))
    if let changes = try json["set"]?.members {
      for change in changes {
        options.set(change.name.split(separator: ".")[...], to: try ExtensionValue(change.value))
      }
    }
    if let paths = try json["remove"]?.array {
      for path in paths { options.set(try path.string.split(separator: ".")[...], to: nil) }
    }
    return Probe(
      isCreation: verb == "create", options: options, result: try json.require("result").string,
      text: String(decoding: json.encoded, as: UTF8.self))
  }

  private static func text(of options: ExtensionValue, _ credential: String) -> [UInt8] {
    guard case .object(let members) = options.filled(credential) else { return [] }
    return ClientExtensions(members).json
  }
}

extension ExtensionValue {
  /// Sets the member at a path, or removes it.
  fileprivate mutating func set(_ path: ArraySlice<Substring>, to value: ExtensionValue?) {
    guard let name = path.first else { return }
    let rest = path.dropFirst()
    switch self {
    case .object(var members):
      if rest.isEmpty {
        members[String(name)] = value
      } else {
        members[String(name)]?.set(rest, to: value)
      }
      self = .object(members)
    case .array(var elements):
      guard let index = Int(name), elements.indices.contains(index) else { return }
      elements[index].set(rest, to: value)
      self = .array(elements)
    default: break
    }
  }

  /// Replaces "$credential" by a credential ID, and repetitions by what they mean.
  fileprivate func filled(_ credential: String) -> ExtensionValue {
    switch self {
    case .string("$credential"): return .string(credential)
    case .array(let elements): return .array(elements.map { $0.filled(credential) })
    case .object(let members):
      if let count = members["$times"]?.number.flatMap({ Int(exactly: $0) }) {
        if let text = members["$text"]?.string { return .string(String(repeating: text, count: count)) }
        return .array(Array(repeating: members["$element"]?.filled(credential) ?? .null, count: count))
      }
      let filled = members.map { ($0.key == "$credential" ? credential : $0.key, $0.value.filled(credential)) }
      return .object(Dictionary(filled) { (_, last) in last })
    default: return self
    }
  }
}
