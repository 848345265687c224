// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnFoundation
import WebAuthnTypes

@Suite struct ConversionTests {
  @Test(arguments: [
    (0.0, 0), (1_800_000_000.9, 1_800_000_000), (-0.5, -1), (1e300, Int64.max), (-1e300, .min), (.infinity, .max),
    (.nan, .max),
  ])
  func `a date becomes a time in whole seconds, clamped to the range`(seconds: Double, expected: Int64) {
    #expect(UnixTime(Date(timeIntervalSince1970: seconds)).secondsSince1970 == expected)
  }

  @Test(arguments: [0, -1, 1_800_000_000, 253_402_300_799] as [Int64])
  func `a time becomes a date and back`(seconds: Int64) {
    let timestamp = UnixTime(secondsSince1970: seconds)
    #expect(Date(timestamp).timeIntervalSince1970 == Double(seconds))
    #expect(UnixTime(Date(timestamp)) == timestamp)
  }

  @Test func `now is the system's time`() {
    let before = Date().timeIntervalSince1970
    let now = Date(UnixTime.now).timeIntervalSince1970
    #expect(before - 1 < now && now <= Date().timeIntervalSince1970)
  }

  @Test func `a UUID and an AAGUID have the same bytes and text`() throws {
    let text = "08987058-cadc-4b81-b6e1-30de50dcbe96"
    let uuid = try #require(UUID(uuidString: text))
    #expect(AAGUID(uuid).description == text)
    #expect(UUID(AAGUID(uuid)) == uuid)
  }

  @Test(arguments: [
    ("https://Raxx.App/login?x=1#f", "https://raxx.app"), ("https://raxx.app:443/", "https://raxx.app"),
    ("http://localhost:8080", "http://localhost:8080"), ("HTTPS://[::1]:8443/a", "https://[::1]:8443"),
    ("https://user:secret@raxx.app/", "https://raxx.app"),
  ])
  func `the origin of a page leaves out the path`(page: String, origin: String) throws {
    let made = try WebOrigin(of: #require(URL(string: page)))
    #expect(made.text == origin)
    #expect(URL(made)?.absoluteString == origin)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://raxx.app/", "android:apk-key-hash:abc", "//raxx.app/", "login",
    "https://a%62c.example/", "https://bücher.example/",
  ])
  func `a URL without a web origin is refused`(text: String) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: FormatError.self) { try WebOrigin(of: url) }
    #expect(error?.code == .originInvalid)
  }

  @Test func `the origin of an application has no URL`() throws {
    #expect(URL(try WebOrigin("android:apk-key-hash:abc")) == nil)
  }

  @Test func `data become messages, structures and identifiers`() throws {
    let id = try CredentialID(Data([1, 2, 3]))
    #expect(id.data == Data([1, 2, 3]))
    #expect(throws: FormatError.self) { try CredentialID(Data()) }

    let options = RequestOptions(
      challenge: try Challenge(Data(repeating: 7, count: 32)), relyingPartyID: try RelyingPartyID("raxx.app"))
    #expect(try RequestOptions(json: options.jsonData).challenge == options.challenge)
    #expect(throws: FormatError.self) { try RequestOptions(json: Data("[]".utf8)) }

    let record = CredentialRecord(
      id: id, publicKey: [4], signCount: 0, uvInitialized: true, transports: [], backupEligible: false,
      backupState: false)
    #expect(try CredentialRecord(parsing: Data(record.encoded)) == record)
    // A slice of data has indices that do not start at 0.
    #expect(try CredentialID(Data([0, 1, 2, 3]).dropFirst()) == id)
  }
}
