// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
package import WebAuthnTypes

/// The explanation of a submitted form: the content of each artifact, and each step of the verification.
///
/// Limits:
///   artifact  256 KiB  [``Inspection/maximumByteCount``]
///   cases     8        [each has a table of steps and a tree; `passkey verify` reads files with more]
struct Explanation {
  /// The explained ceremonies: one, or each case of a submitted file of cases.
  let parts: [Part]

  /// The number of cases that are not shown.
  let omittedCount: Int

  /// Artifacts and the verification of the response among them.
  struct Part {
    /// The id of the case; nil for artifacts outside a file of cases.
    let caseID: String?
    let artifacts: [Artifact]
    let verification: Verification
  }

  /// An artifact and its content as `passkey inspect` shows it.
  struct Artifact {
    let title: String
    let content: Content

    enum Content {
      case inspected(Inspection)
      case unreadable(String)
    }

    fileprivate var kind: ArtifactKind? {
      if case .inspected(let inspection) = content { inspection.kind } else { nil }
    }
  }

  /// A verification, or the reason for its absence.
  enum Verification {
    case judged(Judgment)
    /// The form lacks something, or the artifact is not a response.
    case pending(String)
    /// The options or the credential cannot be used.
    case impossible(String)
  }

  /// The verdict on a ceremony.
  struct Judgment {
    let verdict: CaseVerdict
    let ceremony: VerificationCase.Ceremony
    let isUserKnown: Bool
    /// The assumptions of the page, one sentence each.
    let assumptions: [String]
    /// How the verdict differs from the one that a case expects; nil outside a file of cases.
    let differences: [String]?
  }

  private static let maximumCaseCount = 8

  init(_ form: ExplanationForm, at time: UnixTime) {
    let text = form[.artifact]
    // Other artifacts do not contain the name of the format.
    guard text.contains("\"\(CaseFile.schema)\""), text.utf8.count <= Inspection.maximumByteCount else {
      parts = [Part(form, at: time)]
      omittedCount = 0
      return
    }
    do throws(CaseFileError) {
      let cases = try CaseFile.cases(in: text.utf8)
      parts = cases.prefix(Self.maximumCaseCount).map { (recorded) in Part(recorded, at: time) }
      omittedCount = cases.count - parts.count
    } catch {
      let artifact = Artifact("File of cases", [UInt8](text.utf8))
      parts = [Part(caseID: nil, artifacts: [artifact], verification: .impossible("\(error)"))]
      omittedCount = 0
    }
  }
}

extension Explanation.Artifact {
  init(_ title: String, _ bytes: [UInt8], as kind: ArtifactKind? = nil) {
    self.title = title
    guard bytes.count <= Inspection.maximumByteCount else {
      content = .unreadable("larger than \(Inspection.maximumByteCount >> 10) KiB")
      return
    }
    do throws(InspectionError) {
      content = .inspected(try Inspection(of: bytes, as: kind))
    } catch {
      content = .unreadable("\(error)")
    }
  }
}

// MARK: Cases of a file

extension Explanation.Part {
  fileprivate init(_ recorded: VerificationCase, at time: UnixTime) {
    caseID = recorded.id
    artifacts = [Explanation.Artifact("Response", [UInt8](recorded.response))]
    if let algorithm = recorded.unavailableAlgorithm {
      verification = .impossible("the cryptography library of this machine does not have \(algorithm)")
      return
    }
    let verdict = CaseVerdict(of: recorded, now: time)
    verification = .judged(
      Explanation.Judgment(
        verdict: verdict, ceremony: recorded.ceremony, isUserKnown: true, assumptions: [],
        differences: CaseComparison(verdict, with: recorded.expectation).differences))
  }
}

// MARK: A response with its options

extension Explanation.Part {
  fileprivate init(_ form: ExplanationForm, at time: UnixTime) {
    caseID = nil
    let response = Explanation.Artifact(
      "Artifact", [UInt8](form[.artifact].utf8), as: ArtifactKind(rawValue: form[.kind]))
    let others = [("Options", form[.options]), ("Stored credential", form[.credential])]
    artifacts =
      [response]
      + others.filter { (_, text) in !text.isEmpty }
      .map { (title, text) in Explanation.Artifact(title, [UInt8](text.utf8)) }
    guard !form[.options].isEmpty else {
      verification = .pending(Self.advice(about: response.kind))
      return
    }
    do throws(StatedCredential.Unusable) {
      verification = .judged(try Self.judgment(of: form, at: time))
    } catch {
      verification = .impossible([error.message, error.hint].compactMap(\.self).joined(separator: "; "))
    }
  }

  private static func advice(about kind: ArtifactKind?) -> String {
    switch kind {
    case .registrationResponse: "To verify this registration, add the options that the server sent."
    case .authenticationResponse:
      "To verify this sign-in, add the options that the server sent and the stored credential."
    default: "Only responses and files of cases can be verified."
    }
  }

  private static func judgment(
    of form: ExplanationForm, at time: UnixTime
  ) throws(StatedCredential.Unusable) -> Explanation.Judgment {
    let response = [UInt8](form[.artifact].utf8)
    do {
      let document = try OptionsDocument(json: [UInt8](form[.options].utf8))
      var origins = try form[.origin].split(whereSeparator: \.isWhitespace).map { (text) in try WebOrigin(String(text))
      }
      var assumptions: [String] = []
      func relyingParty(_ id: RelyingPartyID?, _ policy: CeremonyPolicy) throws -> RelyingParty {
        guard let id else {
          throw StatedCredential.Unusable(message: "the options name no RP ID", hint: "add rp.id or rpId to them")
        }
        if origins.isEmpty {
          origins = [try WebOrigin("https://\(id.text)")]
          assumptions.append("No origin was given, so the page assumes https://\(id.text).")
        }
        return try RelyingParty(id: id, name: id.text, origins: origins, policy: policy)
      }
      let subject: ResponseCase
      switch document.ceremony {
      case .registration:
        let options = try CreationOptions(json: document.options)
        subject = ResponseCase(
          registration: response, options: options, mediation: document.mediation,
          relyingParty: try relyingParty(options.relyingParty.id, CeremonyPolicy(judging: options)), time: time)
      case .authentication:
        let options = try RequestOptions(json: document.options)
        let party = try relyingParty(options.relyingPartyID, CeremonyPolicy(judging: options))
        guard let stated = StatedCredential(text: form[.credential]) else {
          throw StatedCredential.Unusable(
            message: form[.credential].isEmpty
              ? "the stored credential is missing" : "the stored credential is neither a COSE key nor a record",
            hint: "add its public key, as COSE key in base64url or hex, or its record")
        }
        let (stored, isUserKnown) = try stated.credential(
          for: try? AuthenticationResponse(json: response), relyingPartyID: party.id)
        subject = ResponseCase(
          authentication: response, options: options, credential: stored, relyingParty: party, time: time,
          isUserKnown: isUserKnown)
      case nil:
        throw StatedCredential.Unusable(
          message: "the options are those of neither ceremony", hint: "paste the JSON that the server sent")
      }
      return Explanation.Judgment(
        verdict: subject.verdict(), ceremony: subject.kind, isUserKnown: subject.isUserKnown, assumptions: assumptions,
        differences: nil)
    } catch let error as StatedCredential.Unusable {
      throw error
    } catch {
      throw StatedCredential.Unusable(message: "\(error)", hint: nil)
    }
  }
}

extension CeremonyPolicy {
  /// The policy of a server that sent these options, without trust anchors.
  fileprivate init(judging options: CreationOptions) {
    self.init(attestation: AttestationPolicy(anchors: nil, isTimeKnown: false))
    userVerification = options.authenticatorSelection.userVerification
    algorithms = options.verifiableAlgorithms
  }

  /// The policy of a server that sent these options.
  fileprivate init(judging options: RequestOptions) {
    self.init()
    userVerification = options.userVerification
  }
}

extension CreationOptions {
  /// The requested algorithms that this build verifies in passkeys.
  package var verifiableAlgorithms: [COSEAlgorithm] {
    credentialParameters.map(\.algorithm).filter { (algorithm) in
      supportedAlgorithms.contains(algorithm) && algorithm != .rs1
    }
  }
}
