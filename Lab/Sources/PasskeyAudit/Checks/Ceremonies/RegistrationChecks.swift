// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient
internal import WebAuthnInspection
internal import WebAuthnTypes

extension Check {
  static let registrationChecks: [Check] =
    singleRegistrationChecks
    + CeremonyFault.registrationMembers.map { (step, fault) in fault.registrationCheck(step) }
    + [credentialIDTaken, registrationOriginField, registrationOfAnother, additionNotVerified, registrationOptions]
    + policyChecks + attestationChecks

  private static let singleRegistrationChecks: [Check] =
    [
      CeremonyFault.type("webauthn.get").registrationCheck(7), CeremonyFault.typeUnknown.registrationCheck(7),
      CeremonyFault.typeMissing.registrationCheck(7), CeremonyFault.challengeOther.registrationCheck(8),
      CeremonyFault.challengeCut.registrationCheck(8), CeremonyFault.challengeEmpty.registrationCheck(8),
      CeremonyFault.challengeMissing.registrationCheck(8),
    ] + CeremonyFault.origins.map { $0.registrationCheck(9) } + [
      CeremonyFault.originMissing.registrationCheck(9), CeremonyFault.crossOrigin.registrationCheck(10),
      CeremonyFault.topOrigin.registrationCheck(11), CeremonyFault.challengeTwice.registrationCheck(6),
      CeremonyFault.clientDataNotJSON.registrationCheck(6), CeremonyFault.relyingPartyOther.registrationCheck(14),
      CeremonyFault.relyingPartyEmpty.registrationCheck(14), CeremonyFault.userNotPresent.registrationCheck(15),
      CeremonyFault.userNotVerified.registrationCheck(16), CeremonyFault.backupState.registrationCheck(17),
      CeremonyFault.extensionsMissing.registrationCheck(13), CeremonyFault.authenticatorDataCut.registrationCheck(13),
      CeremonyFault.authenticatorDataTrailing.registrationCheck(13),
      CeremonyFault.typeNotPublicKey.registrationCheck(27), CeremonyFault.idsDisagree.registrationCheck(27),
      CeremonyFault.memberMissing.registrationCheck(5), CeremonyFault.memberWrongType.registrationCheck(5),
      CeremonyFault.memberNotBase64.registrationCheck(5), CeremonyFault.responseNotObject.registrationCheck(3),
    ] + CeremonyFault.registrationOnly.map { (step, fault) in fault.registrationCheck(step) }

  private static let credentialIDTaken = Check(
    id: "registration.credential-id-taken", title: "rejects a registration with a credential ID of another account",
    references: ["WebAuthn §7.1 step 26"], severity: .critical,
    rationale: "An attacker who knows a credential ID replaces the key of its owner, or signs in as the owner.",
    advice: "Refuse credential IDs that are stored for any account, with a unique index in the database."
  ) { (world) in
    try world.demandAccounts()
    let victim = try await world.sharedPerson(for: .registration)
    let begun = try await world.begin(.registerOptions, name: world.newName())
    guard begun.userHandle != victim.passkey.userHandle else {
      throw CannotTell("the options of two names have the same user ID, so all passkeys can belong to one user")
    }
    let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
    let id = victim.passkey.id
    let faults = [
      Fault { (draft: inout AuthenticatorDataDraft) in draft.credential?.id = id },
      Fault { (draft: inout ResponseDraft) in draft.setID(id) },
    ]
    let json = try world.registration(begun, by: passkey).json(faults)
    let reply = try await world.finish(begun, json)
    let failure = "the server accepted the credential ID of another account with status \(reply.status)"
    let verdict = try await world.judge(reply, begun, by: passkey, sent: json, failure)
    if verdict != .pass { world.keep(reply, begun, passkey) }
    return verdict
  }
}

extension CeremonyFault {
  /// Faults of registrations, with the step of WebAuthn §7.1 that refuses them.
  fileprivate static let registrationOnly: [(Int, CeremonyFault)] = [
    (
      20,
      CeremonyFault(
        "algorithm", "an algorithm that the options do not offer", .high,
        why: "A client could choose an algorithm that is considered too weak, or that is verified wrongly.",
        advice: "Compare the algorithm of the key with `pubKeyCredParams` of the options."
      ) { (_) in [] }.with {
        $0.algorithm = { (begun) in
          let candidates: [COSEAlgorithm] = [.es384, .es512, .es256k, .ed448, .ps256, .eddsa, .rs256]
          guard let other = candidates.first(where: { !begun.algorithms.contains(Int64($0.rawValue)) }) else {
            throw CannotTell("the options offer all algorithms that this program has")
          }
          return other
        }
      }
    ),
    (
      20,
      key("key-off-curve", "a key whose point is not on its curve", .high) { (key) in
        guard case .map(var members) = key, case .bytes(var y)? = members[-3], let last = y.popLast() else { return }
        members[-3] = .bytes(y + [last ^ 1])
        key = .map(members)
      }
    ),
    (
      20,
      key("key-type", "a key whose algorithm does not fit its type", .medium) { (key) in
        guard case .map(var members) = key else { return }
        members[3] = -8
        key = .map(members)
      }
    ),
    (
      20,
      key("key-weak", "an RSA key of 512 bits", .high) { (key) in
        key = .map([
          1: 3, 3: -257, -1: .bytes([0xc1] + [UInt8](repeating: 0x5b, count: 63)), -2: .bytes([1, 0, 1]),
        ])
      }
    ),
    (20, key("key-malformed", "an array as the key", .low, isMalformed: true) { $0 = [1, 2, 3] }),
    (
      13,
      CeremonyFault(
        "key-cut", "a truncated key", .low, why: "A parser that reads behind the end fails in unexpected ways.",
        advice: "Check the length before each read, and answer 400.", isMalformed: true
      ) { (_) in [Fault { (draft: inout AuthenticatorDataBytes) in draft.bytes.removeLast() }] }
    ),
    (
      13,
      CeremonyFault(
        "credential-missing", "authenticator data without a credential", .medium,
        why: "The server would store an account without a usable key, or take the key from unsigned members.",
        advice: "Require the flag AT and attested credential data."
      ) { (_) in [Fault { (draft: inout AuthenticatorDataDraft) in draft.credential = nil }] }
    ),
    (
      25,
      CeremonyFault(
        "credential-id-long", "a credential ID of 1,024 bytes", .low,
        why: "IDs without a limit fill the database and its indexes.", advice: "Refuse IDs of more than 1,023 bytes."
      ) { (_) in
        let id = try AuditRandom.bytes(1_024)
        return [
          Fault { (draft: inout AuthenticatorDataDraft) in draft.credential?.id = id },
          Fault { (draft: inout ResponseDraft) in draft.setID(id) },
        ]
      }
    ),
    (
      13,
      CeremonyFault(
        "id-not-attested", "an `id` that is not the ID in the authenticator data", .high,
        why: "An attacker registers a key under an ID that another account uses.",
        advice: "Take the ID from the authenticator data, and compare it with `rawId`."
      ) { (_) in
        let id = try AuditRandom.bytes(32)
        return [Fault { (draft: inout ResponseDraft) in draft.setID(id) }]
      }.with { $0.namesOtherID = true }
    ),
    (
      21,
      CeremonyFault(
        "format-unknown", "an unknown attestation format", .low,
        why: "A statement that is not verified looks in the database like one that was.",
        advice: "Refuse formats that you do not verify; ask for attestation `none` if you need none."
      ) { (_) in [Fault { (draft: inout StatementDraft) in draft.format = AttestationFormat(rawValue: "audit") }] }
    ),
    (
      22,
      CeremonyFault(
        "none-statement", "the format `none` and a statement that is not empty", .low,
        why: "A server that ignores the statement does not verify what it receives.",
        advice: "Require an empty map as the statement of the format `none`."
      ) { (_) in [Fault { (draft: inout StatementDraft) in draft.statement = ["sig": .bytes([1])] }] }
    ),
    (
      22,
      CeremonyFault(
        "self-signature", "an invalid self attestation", .medium,
        why: "The client cannot prove that it has the private key of the registered credential.",
        advice: "Verify the signature of format `packed` with the credential's key."
      ) { (_) in
        [Fault { (draft: inout SignatureBytes) in draft.bytes = flipped(draft.bytes) }]
      }.with { $0.isSelfAttested = true }
    ),
    (
      22,
      CeremonyFault(
        "self-algorithm", "a self attestation with another algorithm than the key's", .low,
        why: "The statement is verified by rules that do not belong to the key.",
        advice: "Compare `alg` of the statement with the algorithm of the credential's key."
      ) { (_) in [Fault { (draft: inout StatementDraft) in draft["alg"] = -35 }] }.with { $0.isSelfAttested = true }
    ),
    (
      13,
      CeremonyFault(
        "attestation-object-cut", "a truncated attestation object", .low,
        why: "A parser that reads behind the end fails in unexpected ways.",
        advice: "Check the length before each read, and answer 400.", isMalformed: true
      ) { (_) in [Fault { (draft: inout AttestationObjectBytes) in draft.bytes.removeLast() }] }
    ),
    (
      13,
      CeremonyFault(
        "attestation-object-trailing", "a byte after the attestation object", .low,
        why: "A parser that ignores trailing bytes accepts several encodings of one message.",
        advice: "Refuse trailing bytes."
      ) { (_) in [Fault { (draft: inout AttestationObjectBytes) in draft.bytes.append(0) }] }
    ),
  ]

  private static func key(
    _ name: String, _ what: String, _ severity: Severity, isMalformed: Bool = false,
    _ change: @escaping @Sendable (inout CBORTree) -> Void
  ) -> CeremonyFault {
    CeremonyFault(
      name, what, severity, why: "Signatures of such a key can be forged, or are verified by undefined rules.",
      advice: "Validate keys when they are registered: type, algorithm, curve, point and size.",
      isMalformed: isMalformed
    ) { (_) in
      [
        Fault { (draft: inout AuthenticatorDataDraft) in
          guard var credential = draft.credential else { return }
          change(&credential.publicKey)
          draft.credential = credential
        }
      ]
    }
  }
}
