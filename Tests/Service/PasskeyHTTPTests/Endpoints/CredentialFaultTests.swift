// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

/// Real responses of a device, each with one value replaced.
struct CredentialFaultTests {
  private static let replacements = ["1", "null", "{}", "[1]", "true", #""""#, #""!""#, #""AAAA""#]

  @Test func `no registration value breaks the server`() async throws {
    // Unused members may have any value, even one that the description does not allow.
    let world = try EndpointWorld(checksRequests: false)
    let visitor = try Visitor(world, "ada@example.org")
    var codes: [String: Int] = [:]
    for replacement in Self.replacements {
      var place = 0
      while true {
        let response = try await Person().create(visitor.registerOptions().expect(200).body)
        guard let fault = try Self.replacing(place, of: response, with: replacement) else { break }
        place += 1
        let answer = try await visitor.ask(.registerVerify, "", fault)
        // Unused members may have any value. The account is created then, and its address is taken.
        codes[answer.status == 200 ? "made" : try #require(answer.code, "\(fault)"), default: 0] += 1
      }
      #expect(place >= 6)
    }
    #expect(codes.keys.contains("registration-response.invalid-member"))
    #expect(codes.keys.contains("registration-response.missing-member"))
    #expect(codes.keys.contains("sign-up.refused"))
  }

  @Test func `no assertion value breaks the server, and invalid relevant values are refused`() async throws {
    // Unused members may have any value, even one that the description does not allow.
    let world = try EndpointWorld(checksRequests: false)
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let anonymous = try Visitor(world, "ada@example.org")
    var codes: Set<String> = []
    for replacement in Self.replacements {
      var place = 0
      while true {
        let response = try await ada.person.get(anonymous.ask(.signInOptions, "", "{}").expect(200).body)
        guard let fault = try Self.replacing(place, of: response, with: replacement) else { break }
        let name = try Self.names(in: response)[place]
        place += 1
        let answer = try await anonymous.ask(.signInVerify, "", fault)
        if answer.status != 200 { codes.insert(try #require(answer.code, "\(fault)")) }
        if ["id", "rawId", "type", "response", "clientDataJSON", "authenticatorData", "signature"].contains(name) {
          #expect(answer.status >= 400, "\(name) may be \(replacement)")
        }
      }
      #expect(place >= 7)
    }
    #expect(codes.contains("authentication-response.invalid-member"))
    #expect(codes.contains("sign-in.refused"))
  }

  /// The text with the value of one member, of whatever depth, replaced; nil behind the last.
  private static func replacing(_ place: Int, of text: String, with replacement: String) throws -> String? {
    let bytes = Array(text.utf8)
    let values = try members(of: JSON.parse(bytes))
    guard place < values.count else { return nil }
    let range = values[place].value.encoded.indices
    return String(
      decoding: bytes[..<range.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...], as: UTF8.self)
  }

  private static func names(in text: String) throws -> [String] {
    try members(of: JSON.parse(text)).map(\.name)
  }

  private static func members(of value: JSONValue) throws -> [(name: String, value: JSONValue)] {
    guard value.kind == .object else { return [] }
    return try value.members.flatMap { try [($0.name, $0.value)] + members(of: $0.value) }
  }
}
