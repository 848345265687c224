// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyCrypto
package import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

/// A recorded ceremony and its expected result: a case of a `webauthn-vectors/1` file.
package struct VerificationCase: Sendable {
  /// The id of the case, unique within its file.
  package let id: String

  /// The ceremony that was recorded.
  package let ceremony: Ceremony
  let challenge: [UInt8]
  let relyingParty: Party
  let userVerification: String
  let algorithms: [COSEAlgorithm]?
  let isConditional: Bool

  /// The extension inputs of the options.
  let extensions: ClientExtensions

  /// The trust anchors, in DER; nil where the certificate path is not judged.
  let trustAnchors: [[UInt8]]?
  var time: UnixTime?

  /// The time when the ceremony began; nil where it equals `time`.
  var begun: UnixTime?
  let revocationLists: [[UInt8]]

  /// Certificates of intermediate authorities that the relying party knows, in DER.
  let knownAuthorities: [[UInt8]]

  /// Google's attestation status lists and the rogue lists of FIDO metadata, in JSON.
  let statusLists: [[UInt8]]
  let rogueLists: [[UInt8]]
  let metadata: CaseMetadata?
  let policy: CasePolicy

  /// Whether the credential ID is already registered.
  let isKnown: Bool

  /// The user and credentials that the relying party knows before the ceremony.
  let identification: Identification

  /// The purpose for which the assertion is requested.
  let purpose: CasePurpose

  /// The purpose for which the assertion is used.
  let finishedAs: CasePurpose

  /// The response, as JSON text.
  let response: Bytes
  let credential: Credential?

  /// The expected result.
  package let expectation: Expectation

  /// The case as its file has it.
  package let document: JSONValue

  /// One of the two ceremonies of WebAuthn.
  package enum Ceremony: String, Sendable {
    /// The registration of a credential (WebAuthn §7.1).
    case registration
    /// The authentication with a credential (WebAuthn §7.2).
    case authentication
  }

  /// The user and credentials that the relying party knows before the ceremony.
  enum Identification {
    /// A known user. The defaults are the user of the credential and the credential of the case.
    case knownBefore(user: [UInt8]?, credentials: [[UInt8]]?)
    case fromResponse
  }

  /// The relying party of a case.
  struct Party {
    let id: String
    let origins: [String]
    let topOrigins: [String]
    let allowsCrossOrigin: Bool
    let appID: String?
  }

  /// The credential that the relying party stored at the registration.
  struct Credential {
    let id: [UInt8]
    let publicKey: [UInt8]
    let signCount: UInt32
    let userHandle: [UInt8]?
    let backupEligible: Bool?
    let uvInitialized: Bool
  }

  /// The expected result of a case.
  package struct Expectation: Sendable {
    /// Whether the relying party should accept the response.
    package let verified: Bool

    /// Whether the standard allows both results.
    package let isOptional: Bool

    /// The code of the expected error.
    package let code: String?

    /// The number of the step that should fail.
    package let step: Int?

    /// The codes of the errors that caused the expected one, outermost first.
    package let causes: [String]?

    /// The members of the result that the case specifies.
    let members: JSONValue
  }
}

extension VerificationCase {
  init(_ value: JSONValue) throws(WireError) {
    id = try value.require("id").string
    let ceremony = try value.require("ceremony")
    guard let known = Ceremony(rawValue: try ceremony.string) else {
      throw WireError(.jsonWrongType, at: ceremony.offset)
    }
    self.ceremony = known
    challenge = try value.require("challenge").base64URL
    relyingParty = try Party(value.require("rp"))
    userVerification = try value["userVerification"]?.string ?? "preferred"
    algorithms = try value["algorithms"]?.elements { (item) throws(WireError) in
      COSEAlgorithm(rawValue: try item.int64)
    }
    isConditional = try value["mediation"]?.string == "conditional"
    trustAnchors = try value["trustAnchors"]?.byteStrings
    time = try value["time"].map { (time) throws(WireError) in try UnixTime(rfc3339: time.string) }
    begun = try value["begun"].map { (time) throws(WireError) in try UnixTime(rfc3339: time.string) }
    revocationLists = try value["revocationLists"]?.byteStrings ?? []
    knownAuthorities = try value["knownAuthorities"]?.byteStrings ?? []
    statusLists = try value["statusLists"]?.byteStrings ?? []
    rogueLists = try value["rogueLists"]?.byteStrings ?? []
    metadata = try value["metadata"].map { (metadata) throws(WireError) in try CaseMetadata(metadata) }
    policy = try value["policy"].map { (policy) throws(WireError) in try CasePolicy(policy) } ?? CasePolicy()
    extensions = try Self.extensions(value["extensions"])
    isKnown = try value["existingCredential"]?.bool ?? false
    identification = try Identification(value)
    let purpose = try value["purpose"].map { (purpose) throws(WireError) in try CasePurpose(purpose) } ?? .signIn
    self.purpose = purpose
    finishedAs = try value["finishedAs"].map { (used) throws(WireError) in try CasePurpose(used) } ?? purpose
    response = try value.require("response").encoded
    credential = try value["credential"].map { (credential) throws(WireError) in try Credential(credential) }
    expectation = try Expectation(value.require("expect"), caseClass: value["class"]?.string)
    document = value
  }
}

extension VerificationCase {
  private static func extensions(_ value: JSONValue?) throws(WireError) -> ClientExtensions {
    guard let value else { return [:] }
    return try mapError(ClientExtensions(json: value.encoded)) { (_: FormatError) in
      WireError(.jsonWrongType, at: value.offset)
    }
  }
}

extension VerificationCase.Identification {
  fileprivate init(_ value: JSONValue) throws(WireError) {
    guard let identification = try value["identification"] else {
      self = .knownBefore(
        user: try value["user"].map { (user) throws(WireError) in try user.base64URL },
        credentials: try value["allowedCredentials"]?.byteStrings)
      return
    }
    switch try identification.string {
    case "from-response": self = .fromResponse
    default: throw WireError(.jsonWrongType, at: identification.offset)
    }
  }
}

extension VerificationCase.Party {
  init(_ value: JSONValue) throws(WireError) {
    func list(_ name: String) throws(WireError) -> [String] {
      try value[name]?.elements { (item) throws(WireError) in try item.string } ?? []
    }
    id = try value.require("id").string
    origins = try list("origins")
    topOrigins = try list("topOrigins")
    allowsCrossOrigin = try value["crossOrigin"]?.bool ?? !topOrigins.isEmpty
    appID = try value["appId"]?.string
  }
}

extension VerificationCase.Credential {
  init(_ value: JSONValue) throws(WireError) {
    id = try value.require("id").base64URL
    publicKey = try value.require("publicKey").base64URL
    signCount = try value["signCount"]?.integer() ?? 0
    userHandle = try value["userHandle"]?.unlessNull?.base64URL
    backupEligible = try value["backupEligible"]?.bool
    uvInitialized = try value["uvInitialized"]?.bool ?? true
  }
}

extension VerificationCase.Expectation {
  init(_ value: JSONValue, caseClass: String?) throws(WireError) {
    verified = try value.require("verified").bool
    isOptional = caseClass == "may"
    code = try value["code"]?.string
    step = try value["step"]?.integer()
    causes = try value["causes"]?.elements { (item) throws(WireError) in try item.string }
    members = value
  }
}

extension VerificationCase {
  /// An algorithm that the case needs and that this build knows, but that the linked libcrypto lacks, such as a curve. Such a
  /// case cannot be judged.
  package var unavailableAlgorithm: COSEAlgorithm? {
    let needed: [COSEAlgorithm] =
      switch ceremony {
      case .registration: algorithms ?? []
      case .authentication: credential.flatMap { try? COSEKey(parsing: $0.publicKey).algorithm }.map { [$0] } ?? []
      }
    return needed.first { $0.definition != nil && !supportedAlgorithms.contains($0) }
  }
}

/// The member `metadata` of a case: a BLOB in the format of the FIDO Metadata Service and the anchors of its signer.
struct CaseMetadata {
  let blob: [UInt8]
  let trustAnchors: [[UInt8]]

  init(_ value: JSONValue) throws(WireError) {
    blob = [UInt8](try value.require("blob").utf8)
    trustAnchors = try value.require("trustAnchors").byteStrings
  }

  /// Verifies the BLOB.
  func verified(at time: UnixTime) throws -> MetadataBlob {
    let anchors = try trustAnchors.map { (anchor) throws in try X509Certificate(der: anchor) }
    return try MetadataBlob(
      verifying: blob, signedBy: MetadataSigner(anchors: anchors, hostName: nil), at: time)
  }
}
