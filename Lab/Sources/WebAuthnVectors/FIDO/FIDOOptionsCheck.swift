// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A test whose subject is the options of a server. The player makes the requests.
enum FIDOOptionsCheck: Sendable {
  /// Creation options have every member.
  case creationMembers
  /// Creation options ask for no attestation.
  case attestationNone
  /// Two creation options have different challenges.
  case creationChallenges
  /// Creation options require user verification.
  case userVerificationRequired
  /// The next creation options exclude a new passkey.
  case exclusion
  /// Request options have every member.
  case requestMembers
  /// Two request options have different challenges.
  case requestChallenges
}

/// The options in a server's reply, or what they lack.
struct FIDOOptions: Sendable {
  let json: JSONValue
  let challenge: [UInt8]

  /// Reads a reply: `status` is `ok`, `errorMessage` is empty, and the challenge has 16 to 64 bytes.
  init(_ json: JSONValue) throws(FIDOFault) {
    self.json = json
    try Self.require(Self.text("status", in: json) == "ok", "status is not \"ok\"")
    try Self.require(Self.text("errorMessage", in: json) == "", "errorMessage is not empty")
    guard let challenge = try? json["challenge"]?.base64URL else {
      throw FIDOFault("challenge is missing or not base64url")
    }
    try Self.require(16...64 ~= challenge.count, "the challenge has \(challenge.count) bytes, not 16 to 64")
    self.challenge = challenge
  }

  /// The RP ID of creation options.
  var createdFor: String? { member("rp").flatMap { Self.text("id", in: $0) } }

  /// The RP ID of request options.
  var requestedFor: String? { text("rpId") }

  /// The user handle of creation options.
  var userHandle: [UInt8]? { member("user").flatMap { try? $0["id"]?.base64URL } }

  /// The algorithms that creation options offer.
  var algorithms: [Int64] {
    ((try? member("pubKeyCredParams")?.array).flatMap { $0 }.map { Array($0) } ?? [])
      .compactMap { try? $0["alg"]?.int64 }
  }

  /// The credential IDs of a list.
  func credentialIDs(_ name: String) -> [[UInt8]] {
    ((try? member(name)?.array).flatMap { $0 }.map { Array($0) } ?? []).compactMap { try? $0["id"]?.base64URL }
  }

  /// Requires what all creation options have.
  func requireCreationMembers(for name: String) throws(FIDOFault) {
    try Self.require(createdFor != nil, "rp has no id")
    try Self.require(member("rp").flatMap { Self.text("name", in: $0) } != nil, "rp has no name")
    try Self.require(!(userHandle ?? []).isEmpty, "user has no id")
    try Self.require(member("user").flatMap { Self.text("name", in: $0) } == name, "the name of user is not \(name)")
    try Self.require(algorithms.contains(-7), "pubKeyCredParams lacks ES256")
    try Self.require((try? member("timeout")?.int64) ?? 0 > 0, "timeout is not a positive number")
    try requireExtension()
  }

  /// Requires what all request options have.
  func requireRequestMembers(for id: [UInt8]) throws(FIDOFault) {
    try Self.require(requestedFor != nil, "rpId is missing")
    try Self.require(credentialIDs("allowCredentials").contains(id), "allowCredentials lacks the passkey")
    try Self.require(text("userVerification") == "required", "userVerification is not \"required\"")
    try Self.require((try? member("timeout")?.int64) ?? 0 > 0, "timeout is not a positive number")
    try requireExtension()
  }

  private func requireExtension() throws(FIDOFault) {
    let value = member("extensions").flatMap { try? $0[Self.extensionName]?.bool }
    try Self.require(value == true, "extensions lacks \(Self.extensionName)")
  }

  /// Requires the value of a member.
  func require(_ name: String, _ value: String) throws(FIDOFault) {
    try Self.require(text(name) == value, "\(name) is not \"\(value)\"")
  }

  /// Requires the value of a member of the authenticator selection.
  func requireSelection(_ name: String, _ value: String) throws(FIDOFault) {
    let selected = member("authenticatorSelection").flatMap { Self.text(name, in: $0) }
    try Self.require(selected == value, "authenticatorSelection.\(name) is not \"\(value)\"")
  }

  static func require(_ condition: Bool, _ fault: @autoclosure () -> String) throws(FIDOFault) {
    guard condition else { throw FIDOFault(fault()) }
  }

  /// The extension that the requests of FIDO's interface ask for.
  static let extensionName = "example.extension"

  private func member(_ name: String) -> JSONValue? { (try? json[name]?.unlessNull).flatMap { $0 } }
  private func text(_ name: String) -> String? { Self.text(name, in: json) }
  private static func text(_ name: String, in json: JSONValue) -> String? {
    (try? json[name]?.unlessNull?.string).flatMap { $0 }
  }
}

/// A fault of a server, as a clause without a full stop.
struct FIDOFault: Error {
  let words: String

  init(_ words: String) {
    self.words = words
  }
}
