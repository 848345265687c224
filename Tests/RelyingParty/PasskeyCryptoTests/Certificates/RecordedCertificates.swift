// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport

/// Certificates from our own vectors and, where they are present, real ones from the shared vectors.
enum RecordedCertificates {
  /// The certificates of an attestation statement, with their anchors and time of validation.
  struct Path: CustomStringConvertible {
    let name: String
    let chain: [[UInt8]]
    let anchors: [[UInt8]]
    let time: UnixTime
    let isWholeStatementGood: Bool

    var description: String { name }
  }

  /// A path for each registration that has certificates, anchors and a time.
  static func paths() throws -> [Path] {
    let real = [
      "w3c-level3", "peers/go-webauthn", "peers/java-webauthn-server", "peers/webauthn-ruby", "peers/webauthn4j",
    ]
    let others = SharedVectors.arePresent ? try real.map { try SharedVectors.bytes("\($0).json") } : []
    return try ownPaths()
      + others.flatMap { try JSON.parse($0, maximumSize: 1 << 20).require("cases").array.compactMap(path(of:)) }
  }

  /// The paths of our own valid statements, except compound ones, and those that need a policy. Paths of Android devices need
  /// tolerances.
  static func ownPaths() throws -> [Path] {
    let folder = "\(projectFolder)/Vectors"
    let names = try File.names(in: folder).sorted().filter {
      $0.hasPrefix("attestation-") && !["attestation-compound.json", "attestation-android-chains.json"].contains($0)
    }
    return try names.flatMap { (name) in
      try JSON.parse(File.bytes("\(folder)/\(name)"), maximumSize: 1 << 20).require("cases").array
        .filter {
          try $0.require("expect").require("verified").bool
            && $0["policy"] == nil && $0["knownAuthorities"] == nil
        }
        .compactMap(path(of:))
    }
  }

  /// All trust anchors in the real metadata BLOB.
  static func metadataAnchors() throws -> [[UInt8]] {
    var anchors: Set<[UInt8]> = []
    for entry in try metadata(part: 1).require("entries").array {
      guard let roots = try entry["metadataStatement"]?["attestationRootCertificates"] else { continue }
      for root in try roots.array { anchors.insert(try Base64.decodeLeniently(root.string)) }
    }
    return anchors.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The certificate chain of the real metadata BLOB, the signer first.
  static func metadataSigners() throws -> [[UInt8]] {
    try metadata(part: 0).require("x5c").array.map { try $0.base64 }
  }

  /// All certificates.
  static func all() throws -> [[UInt8]] {
    let paths = try paths()
    var certificates = paths.flatMap(\.chain) + paths.flatMap(\.anchors)
    if SharedVectors.arePresent { certificates += try metadataAnchors() + metadataSigners() }
    return Set(certificates).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func metadata(part: Int) throws -> JSONValue {
    let blob = try SharedVectors.bytes("mds/blob-no122-2024-12.jwt")
    let parts = blob.split(separator: UInt8(ascii: "."))
    return try JSON.parse(Base64URL.decode(parts[part]), maximumSize: 1 << 24)
  }

  private static func path(of vector: JSONValue) throws -> Path? {
    guard let anchors = try vector["trustAnchors"], let time = try vector["time"] else { return nil }
    let object = try vector.require("response").require("response").require("attestationObject").base64URL
    let statement = try CBORValue(parsing: object, rules: .wellFormed).map.require("attStmt").map
    var chain: [[UInt8]] = []
    if let certificates = statement["x5c"] {
      chain = try certificates.array.map { Array(try $0.bytes) }
    } else if let response = statement["response"] {
      let parts = try response.bytes.split(separator: UInt8(ascii: "."))
      let header = parts[0]
      chain = try JSON.parse(Base64URL.decode(header)).require("x5c").array.map { try $0.base64 }
    }
    guard !chain.isEmpty else { return nil }
    return Path(
      name: try vector.require("id").string, chain: chain, anchors: try anchors.array.map { try $0.base64URL },
      time: try UnixTime(rfc3339: time.string),
      isWholeStatementGood: try vector.require("expect").require("verified").bool)
  }
}
