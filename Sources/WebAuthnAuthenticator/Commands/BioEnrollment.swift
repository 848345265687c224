// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// authenticatorBioEnrollment (CTAP 2.3 §6.7), with a simulated sensor: fingers have numbers, and the interaction says which
// one is put on it.
extension SoftwareAuthenticator {
  /// Does what the subcommand says.
  func bioEnrollment(_ command: CTAPCommand, _ encoded: Bytes) async throws(CTAPError) -> Bytes {
    guard profile.hasFingerprintSensor else { throw CTAPError(.invalidCommand, "there is no sensor") }
    let parameters = try CommandParameters(parsing: encoded)
    // §6.7.2. What kind of sensor it is, everybody may know, and no more is looked at.
    if try parameters.optionalBool(BioEnrollmentKey.getModality) == true {
      return CBORWriter.bytes(of: [BioEnrollmentAnswerKey.modality: .unsigned(BioEnrollmentKey.fingerprint)])[...]
    }
    let request = try SubcommandRequest(command, parameters, keys: .bioEnrollment)
    guard let subcommand = BioEnrollmentSubcommand(rawValue: request.number) else {
      throw CTAPError(.invalidSubcommand, "bioEnrollment \(request.number)")
    }
    let modality = try parameters.optionalUnsigned(BioEnrollmentKey.modality)
    switch subcommand {
    case .getFingerprintSensorInfo: return sensorInfo
    case .cancelCurrentEnrollment:
      session.sequences.fingerEnrollment = nil
      return []
    case .enrollBegin: return try await enrollBegin(request, modality)
    case .enrollCaptureNextSample: return try await enrollCaptureNextSample(request, modality)
    case .enumerateEnrollments: return try enumerateEnrollments(request, modality)
    case .setFriendlyName: return try setFriendlyName(request, modality)
    case .removeEnrollment: return try removeEnrollment(request, modality)
    }
  }

  /// §6.7.3: a sensor that is touched, how many samples it takes, and how long a name may be.
  private var sensorInfo: Bytes {
    CBORWriter.bytes(of: [
      BioEnrollmentAnswerKey.fingerprintKind: .unsigned(BioEnrollmentKey.touchSensor),
      BioEnrollmentAnswerKey.maximumSampleCount: .unsigned(UInt64(DeviceLimits.samplesPerFinger)),
      BioEnrollmentAnswerKey.maximumNameByteCount: .unsigned(UInt64(DeviceLimits.maximumFingerNameByteCount)),
    ])[...]
  }

  /// §6.7.6.
  private func enumerateEnrollments(_ request: SubcommandRequest, _ modality: UInt64?) throws(CTAPError) -> Bytes {
    // 1 to 5. Who asks may enrol.
    try authorizeEnrollment(request, modality)
    // 6. There are fingers.
    let fingers = try vault.read().fingers
    guard !fingers.isEmpty else { throw CTAPError(.invalidOption, "no finger is enrolled") }
    // 7. Platforms expect a name of each, if only an empty one.
    let infos = fingers.map { (finger) -> CBORTree in
      [
        BioEnrollmentKey.templateID: .bytes(finger.templateID),
        BioEnrollmentKey.templateFriendlyName: .text(finger.name ?? ""),
      ]
    }
    return CBORWriter.bytes(of: [BioEnrollmentAnswerKey.templateInfos: .array(infos)])[...]
  }

  /// §6.7.7.
  private func setFriendlyName(_ request: SubcommandRequest, _ modality: UInt64?) throws(CTAPError) -> Bytes {
    // 1. It is authenticated.
    try request.requireAuthentication()
    // 2. What it takes is there.
    let templateID = try request.parameters.bytes(BioEnrollmentKey.templateID)
    let name = try request.parameters.text(BioEnrollmentKey.templateFriendlyName)
    // 3. The name is not too long.
    guard name.utf8.count <= DeviceLimits.maximumFingerNameByteCount else {
      throw CTAPError(.invalidLength, "a name of \(name.utf8.count) bytes")
    }
    // 4 to 6. Who asks may enrol.
    try authorizeEnrollment(request, modality)
    // 7. The finger is there, and has the name from now on.
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.fingers.firstIndex(where: { (finger) in finger.templateID[...] == templateID }) else {
        throw CTAPError(.invalidOption, "no such finger")
      }
      state.fingers[index].name = name
    }
    return []
  }

  /// §6.7.8.
  private func removeEnrollment(_ request: SubcommandRequest, _ modality: UInt64?) throws(CTAPError) -> Bytes {
    // 1. It is authenticated.
    try request.requireAuthentication()
    // 2. What it takes is there.
    let templateID = try request.parameters.bytes(BioEnrollmentKey.templateID)
    // 3 to 5. Who asks may enrol.
    try authorizeEnrollment(request, modality)
    // 6. The finger is there, and goes.
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.fingers.firstIndex(where: { (finger) in finger.templateID[...] == templateID }) else {
        throw CTAPError(.invalidOption, "no such finger")
      }
      state.fingers.remove(at: index)
    }
    return []
  }

  /// Demands a token that may enrol, for the one kind of sensor that there is.
  func authorizeEnrollment(_ request: SubcommandRequest, _ modality: UInt64?) throws(CTAPError) {
    try request.requireAuthentication()
    guard let modality else { throw CTAPError(.missingParameter, "modality") }
    guard modality == BioEnrollmentKey.fingerprint else { throw CTAPError(.invalidParameter, "modality \(modality)") }
    try authorize(
      request.pinUvAuthParam, protocol: request.protocolNumber,
      over: [UInt8(truncatingIfNeeded: modality), request.byte] + request.encodedParameters,
      permission: .bioEnrollment, relyingPartyID: nil, isPrototype: request.isPrototype)
  }
}
