// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import PasskeyCommandLine

@Suite struct OptionTests {
  enum Color: String, CaseIterable, OptionValue {
    case red, green
  }

  private static let loud = Option("--loud", help: "louder")
  private static let name = Option("--name", "NAME", help: "a name")
  private static let count = Option<UInt64?>("--count", "NUMBER", help: "a number")
  private static let time = Option<UnixTime?>("--time", "TIME", help: "a time")
  private static let wait = Option<Duration?>("--wait", "DURATION", help: "a duration")
  private static let origin = Option<[WebOrigin]>("--origin", "ORIGIN", help: "origins")
  private static let site = Option<RelyingPartyID?>("--rp-id", "DOMAIN", help: "an RP ID")
  private static let color = Option<Color?>("--color", "COLOR", help: "a color")

  private static let specification = CommandSpecification(
    name: "paint", summary: "paint it", arguments: "[OPTION…]", discussion: [], positionalCount: 0...0,
    options: [loud, name, count, time, wait, origin, site, color, .json, .help], examples: [])

  private static func parsed(_ arguments: String...) throws(CommandFailure) -> ParsedArguments {
    try ParsedArguments(arguments, for: specification, of: "p")
  }

  @Test func `values have the types of their options`() throws {
    let parsed = try Self.parsed(
      "--loud", "--name", "", "--count=7", "--time", "2026-01-02", "--wait", "15m", "--origin", "https://a.example",
      "--origin", "https://b.example", "--rp-id", "raxx.app", "--color", "green")
    #expect(parsed[Self.loud])
    #expect(parsed[Self.name] == "")
    #expect(parsed[Self.count] == 7)
    #expect(parsed[Self.time]?.description == "2026-01-02T00:00:00Z")
    #expect(parsed[Self.wait] == .seconds(900))
    #expect(parsed[Self.origin].map(\.text) == ["https://a.example", "https://b.example"])
    #expect(parsed[Self.site]?.text == "raxx.app")
    #expect(parsed[Self.color] == .green)
  }

  @Test func `an absent option has no value`() throws {
    let parsed = try Self.parsed()
    #expect(!parsed[Self.loud])
    #expect(parsed[Self.name] == nil)
    #expect(parsed[Self.count] == nil)
    #expect(parsed[Self.origin] == [])
    #expect(!parsed.has(Self.color))
    #expect(!parsed[.json])
  }

  @Test(arguments: [
    (["--count", "many"], "--count cannot be \"many\"", "write a whole number without a unit"),
    (["--wait", "0s"], "--wait cannot be \"0s\"", "write a duration as 90s, 15m, 12h or 14d"),
    (["--time", "noon"], "--time cannot be \"noon\"", "write a time as 2026-01-01T12:00:00Z or 2026-01-01"),
    (
      ["--origin", "https://a.example", "--origin", "a.example"], "--origin cannot be \"a.example\"",
      "write an origin as https://raxx.app, with only a port after the host"
    ),
    (["--rp-id", "A B"], "--rp-id cannot be \"A B\"", "write a domain in lower case, such as raxx.app"),
    (["--color", "blue"], "--color cannot be \"blue\"", "it can be red, green"),
    (["--color"], "--color needs a value", "it can be red, green"),
    (["--name"], "--name needs a value", "write --name NAME"),
  ])
  func `an invalid value is refused before the command runs`(
    arguments: [String], message: String, hint: String
  ) {
    #expect(throws: CommandFailure.usage(message, hint: hint)) {
      try ParsedArguments(arguments, for: Self.specification, of: "p")
    }
  }

  @Test func `the help is shown despite an invalid value`() throws {
    #expect(try Self.parsed("--count", "many", "--help").has(.help))
  }

  @Test func `an option can be described otherwise for one command`() {
    let option = Self.name.described("your name")
    #expect(option.help == "your name")
    #expect(option.name == Self.name.name)
  }
}
