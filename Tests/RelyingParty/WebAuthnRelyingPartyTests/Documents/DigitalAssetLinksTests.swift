// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct DigitalAssetLinksTests {
  private static let colons = (0..<32).map {
    $0 < 16 ? "0" + String($0, radix: 16, uppercase: true) : String($0, radix: 16, uppercase: true)
  }
  .joined(separator: ":")

  private static func application() throws -> DigitalAssetLinks.Application {
    try DigitalAssetLinks.Application(
      packageName: "app.raxx.android_2", fingerprints: [try CertificateFingerprint([UInt8](0..<32)).description])
  }

  @Test func `it is written as the system reads it`() throws {
    let document = try DigitalAssetLinks(
      applications: [try Self.application()], sites: [try WebOrigin("https://raxx.co.uk")])
    #expect(
      String(decoding: document.json, as: UTF8.self) == """
        [{"relation":["delegate_permission/common.handle_all_urls","delegate_permission/common.get_login_creds"],\
        "target":{"namespace":"android_app","package_name":"app.raxx.android_2",\
        "sha256_cert_fingerprints":["\(Self.colons)"]}},\
        {"relation":["delegate_permission/common.get_login_creds"],\
        "target":{"namespace":"web","site":"https://raxx.co.uk"}}]
        """)
  }

  @Test func `an application has an origin for each certificate`() throws {
    #expect(
      try Self.application().origins == [
        try WebOrigin("android:apk-key-hash:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
      ])
  }

  @Test func `a fingerprint is read in either case`() throws {
    let fingerprint = try CertificateFingerprint(colonSeparated: Self.colons)
    #expect(fingerprint.bytes == [UInt8](0..<32))
    #expect("\(fingerprint)" == Self.colons)
    #expect(try CertificateFingerprint(colonSeparated: Self.colons.lowercased()) == fingerprint)
  }

  @Test(arguments: [
    "", colons.replacing(":", with: ""), String(colons.dropLast(3)), colons + ":20", colons.replacing("1F", with: "1"),
    colons.replacing("1F", with: "+F"), colons.replacing("1F", with: "1FF"),
    colons.replacing("00:01", with: "000:1"), ":" + colons,
  ])
  func `a malformed fingerprint is refused`(text: String) {
    expectFailure(.documentFingerprintInvalid, step: nil) { try CertificateFingerprint(colonSeparated: text) }
  }

  @Test func `a fingerprint has 32 bytes`() {
    expectFailure(.documentFingerprintInvalid, step: nil) {
      try CertificateFingerprint([UInt8](repeating: 0, count: 20))
    }
  }

  @Test func `an application without a certificate is refused`() {
    expectFailure(.documentFingerprintInvalid, step: nil) {
      try DigitalAssetLinks.Application(packageName: "app.raxx", fingerprints: [])
    }
  }

  @Test(arguments: ["", "raxx", "app.", "app..raxx", "app.2raxx", "app._raxx", "app.raxx-x", "app.räxx", "app.raxx\""])
  func `an invalid package is refused`(name: String) throws {
    let fingerprint = try CertificateFingerprint([UInt8](0..<32))
    expectFailure(.documentApplicationInvalid, step: nil) {
      try DigitalAssetLinks.Application(packageName: name, fingerprints: [fingerprint.description])
    }
  }

  @Test func `a package name has at most 255 bytes`() throws {
    let fingerprint = try CertificateFingerprint([UInt8](0..<32))
    let longest = "app." + String(repeating: "a", count: 251)
    let application = try DigitalAssetLinks.Application(packageName: longest, fingerprints: [fingerprint.description])
    #expect(application.packageName == longest)
    expectFailure(.documentApplicationInvalid, step: nil) {
      try DigitalAssetLinks.Application(packageName: longest + "a", fingerprints: [fingerprint.description])
    }
  }

  @Test(arguments: ["http://raxx.app", "android:apk-key-hash:AA"])
  func `a site must use https`(origin: String) throws {
    let site = try WebOrigin(origin)
    expectFailure(.documentSiteInvalid, step: nil) { try DigitalAssetLinks(applications: [], sites: [site]) }
  }
}
