// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import PasskeyService

struct ZoneRulesTests {
  private func shown(_ time: String, in zone: ZoneRules?) throws -> String {
    let local = try #require(zone).local(try UnixTime(rfc3339: time))
    return "\(local.time) \(local.zone)"
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29T01:59:59Z CET"),
    ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00Z CEST"),
    ("Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25T02:59:59Z CEST"),
    ("Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z CET"),
    ("Europe/Berlin", "2100-07-01T12:00:00Z", "2100-07-01T14:00:00Z CEST"),
    ("America/Los_Angeles", "2040-01-01T00:00:00Z", "2039-12-31T16:00:00Z PST"),
    ("Australia/Sydney", "2045-01-15T00:00:00Z", "2045-01-15T11:00:00Z AEDT"),
    ("Australia/Sydney", "2045-07-15T00:00:00Z", "2045-07-15T10:00:00Z AEST"),
    ("Europe/Dublin", "2045-07-15T00:00:00Z", "2045-07-15T01:00:00Z IST"),
    ("Europe/Dublin", "2045-01-15T00:00:00Z", "2045-01-15T00:00:00Z GMT"),
    ("Asia/Kolkata", "2026-11-23T05:12:00Z", "2026-11-23T10:42:00Z IST"),
    ("America/Sao_Paulo", "2026-11-23T05:12:00Z", "2026-11-23T02:12:00Z UTC-03:00"),
    ("Asia/Kathmandu", "2026-11-23T05:12:00Z", "2026-11-23T10:57:00Z UTC+05:45"),
    ("Europe/Berlin", "1900-01-01T00:00:00Z", "1900-01-01T01:00:00Z CET"),
    ("Etc/UTC", "2026-11-23T05:12:00Z", "2026-11-23T05:12:00Z UTC"),
  ])
  func `a zone has its own time, with the name of its difference from UTC`(
    _ name: String, _ time: String, _ expected: String
  ) throws {
    #expect(try shown(time, in: ZoneRules(named: name)) == expected)
  }

  @Test(arguments: [
    "", "Europe", "Europe/Atlantis", "../../../etc/passwd", "Europe/../Europe/Berlin", "/Europe/Berlin",
    "europe/berlin",
    "posix/Europe/Berlin", "posixrules", "localtime", "tzdata.zi", "Europe/Berlin\0", "CET-1CEST",
    String(repeating: "A", count: 65),
  ])
  func `other names are no zones`(_ name: String) {
    #expect(ZoneRules(named: name) == nil)
  }

  /// Files of some systems have no transitions after the present, only the rule.
  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T02:00:00Z CEST"),
    ("<+0530>-5:30", "2026-07-01T05:30:00Z UTC+05:30"), ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-07-01T03:00:00Z EEST"),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-06-30T23:00:00Z UTC-01:00"),
    // A rule that is not read leaves what was.
    ("CET-1CEST,J60,J300", "2026-07-01T01:00:00Z OLD"), ("", "2026-07-01T01:00:00Z OLD"),
    ("CET-1CEST,M13.5.0,M10.5.0", "2026-07-01T01:00:00Z OLD"),
  ])
  func `the rule of a file holds after its transitions`(_ rule: String, _ expected: String) throws {
    let zone = ZoneRules(parsing: Self.file(rule))
    #expect(try shown("2026-07-01T00:00:00Z", in: zone) == expected)
  }

  @Test func `any bytes are a zone or none`() throws {
    let file = Self.file("CET-1CEST,M3.5.0,M10.5.0/3")
    try PropertyRuns.check(default: 2_000) { (generator) in
      var bytes = Array(file.prefix(Int.random(in: 0...file.count, using: &generator)))
      for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let seconds = Int64.random(in: -99_999_999_999...999_999_999_999, using: &generator)
      _ = ZoneRules(parsing: bytes)?.local(UnixTime(secondsSince1970: seconds))
    }
  }

  /// A file of one type, one hour east, without transitions.
  private static func file(_ rule: String) -> [UInt8] {
    let header = { (count: UInt8) in
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + [UInt8](repeating: 0, count: 16)
        + [0, 0, 0, count, 0, 0, 0, count * 4]
    }
    let block = [0, 0, 14, 16, 0, 0] + Array("OLD\0".utf8)
    return header(0) + header(1) + block + Array("\n\(rule)\n".utf8)
  }
}
