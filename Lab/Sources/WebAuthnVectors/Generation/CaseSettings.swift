// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection

/// The configuration and knowledge of a case's relying party: everything in a case except the response and expectation.
struct CaseSettings: Sendable {
  var challenge: [UInt8]
  var relyingPartyID = ScenarioDefaults.relyingPartyID
  var origins = [ScenarioDefaults.origin]
  var topOrigins: [String]?

  /// Whether pages of any other origin may embed the page; used where `topOrigins` is nil.
  var crossOrigin: Bool?
  var appID: String?
  var userVerification = "required"
  var algorithms: [COSEAlgorithm]?
  var isConditional = false
  var trustAnchors: [[UInt8]]?
  var revocationLists: [[UInt8]] = []
  var knownAuthorities: [[UInt8]] = []
  var statusLists: [[UInt8]] = []
  var rogueLists: [[UInt8]] = []
  var metadata: Metadata?
  var begun: UnixTime?
  var time = ScenarioDefaults.time

  /// The extension inputs of the options.
  var extensions: [JSONDraft.Member] = []
  var policy = CasePolicy()
  var existingCredential = false
  var isFromResponse = false
  var user: [UInt8]?
  var allowedCredentials: [[UInt8]]?
  var purpose: CasePurpose = .signIn
  var finishedAs: CasePurpose?
  var credential: Credential?

  struct Metadata: Sendable {
    let blob: [UInt8]
    let trustAnchors: [[UInt8]]
  }

  /// The credential that was stored at the registration.
  struct Credential: Sendable {
    var id: [UInt8]
    var publicKey: [UInt8]
    var signCount: UInt32 = 0
    var userHandle: [UInt8]?
    var backupEligible: Bool
    var uvInitialized = true
  }

  init(challenge: [UInt8]) {
    self.challenge = challenge
  }

  /// Takes what the options of a live server say.
  init(_ ceremony: LiveCeremony) {
    challenge = ceremony.challenge
    relyingPartyID = ceremony.relyingPartyID
    origins = [ceremony.origin]
  }

  /// The members of the case in the order of the format, without those that have their default value.
  var json: [JSONDraft.Member] {
    var members: [JSONDraft.Member] = []
    func add(_ name: String, _ value: JSONDraft?) {
      if let value { members.append(.init(name: name, value: value)) }
    }
    add("challenge", .bytes(challenge))
    add("rp", relyingParty)
    add("userVerification", .string(userVerification))
    add("algorithms", algorithms.map { .array($0.map { .integer(Int($0.rawValue)) }) })
    if isConditional { add("mediation", "conditional") }
    if !extensions.isEmpty { add("extensions", .object(extensions)) }
    add("trustAnchors", trustAnchors.map { .array($0.map { .bytes($0) }) })
    if !revocationLists.isEmpty { add("revocationLists", .array(revocationLists.map { .bytes($0) })) }
    if !knownAuthorities.isEmpty { add("knownAuthorities", .array(knownAuthorities.map { .bytes($0) })) }
    if !statusLists.isEmpty { add("statusLists", .array(statusLists.map { .bytes($0) })) }
    if !rogueLists.isEmpty { add("rogueLists", .array(rogueLists.map { .bytes($0) })) }
    add("metadata", metadata?.json)
    add("begun", begun?.rfc3339.map { .string($0) })
    add("time", time.rfc3339.map { .string($0) })
    if !policy.json.isEmpty { add("policy", .object(policy.json)) }
    if existingCredential { add("existingCredential", true) }
    if isFromResponse { add("identification", "from-response") }
    add("user", user.map { .bytes($0) })
    add("allowedCredentials", allowedCredentials.map { .array($0.map { .bytes($0) }) })
    if purpose != .signIn { add("purpose", purpose.json) }
    add("finishedAs", finishedAs?.json)
    add("credential", credential?.json)
    return members
  }

  private var relyingParty: JSONDraft {
    var members: [JSONDraft.Member] = [
      .init(name: "id", value: .string(relyingPartyID)),
      .init(name: "origins", value: .array(origins.map { .string($0) })),
    ]
    if let topOrigins { members.append(.init(name: "topOrigins", value: .array(topOrigins.map { .string($0) }))) }
    if let crossOrigin { members.append(.init(name: "crossOrigin", value: .bool(crossOrigin))) }
    if let appID { members.append(.init(name: "appId", value: .string(appID))) }
    return .object(members)
  }
}

extension CaseSettings.Metadata {
  fileprivate var json: JSONDraft {
    .object([
      "blob": .string(String(decoding: blob, as: UTF8.self)), "trustAnchors": .array(trustAnchors.map { .bytes($0) }),
    ])
  }
}

extension CaseSettings.Credential {
  fileprivate var json: JSONDraft {
    var members: [JSONDraft.Member] = [
      .init(name: "id", value: .bytes(id)), .init(name: "publicKey", value: .bytes(publicKey)),
      .init(name: "signCount", value: .integer(Int(signCount))),
    ]
    if let userHandle { members.append(.init(name: "userHandle", value: .bytes(userHandle))) }
    members.append(.init(name: "backupEligible", value: .bool(backupEligible)))
    if !uvInitialized { members.append(.init(name: "uvInitialized", value: false)) }
    return .object(members)
  }
}
