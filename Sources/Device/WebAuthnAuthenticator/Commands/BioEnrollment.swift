// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// authenticatorBioEnrollment (CTAP 2.3 §6.7) with a simulated sensor: fingers are numbered, and the ``UserInteraction``
// returns the number of the finger on the sensor.
extension SoftwareAuthenticator {
  /// Executes one authenticatorBioEnrollment subcommand.
  func bioEnrollment(_ command: CTAPCommand, _ encoded: Bytes) async throws(CTAPError) -> [UInt8] {
    guard profile.hasFingerprintSensor else { throw CTAPError(.invalidCommand, "the device has no fingerprint sensor") }
    let parameters = try CommandParameters(parsing: encoded)
    // §6.7.2. getModality needs no authorization, and overrides all other parameters.
    if try parameters.boolIfPresent(BioEnrollmentKey.getModality) == true {
      return CBORWriter.bytes(of: [BioEnrollmentReplyKey.modality: .unsigned(BioEnrollmentKey.fingerprint)])
    }
    let request = try BioEnrollmentRequest(command, parameters, keys: .bioEnrollment)
    let modality = try parameters.unsignedIfPresent(BioEnrollmentKey.modality)
    switch request.subcommand {
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

  /// The sensor description (§6.7.3): a touch sensor, its number of samples per finger, and its maximum name length.
  private var sensorInfo: [UInt8] {
    CBORWriter.bytes(of: [
      BioEnrollmentReplyKey.fingerprintKind: .unsigned(BioEnrollmentKey.touchSensor),
      BioEnrollmentReplyKey.maximumSampleCount: .unsigned(UInt64(DeviceLimits.samplesPerFinger)),
      BioEnrollmentReplyKey.maximumNameByteCount: .unsigned(UInt64(DeviceLimits.maximumFingerNameByteCount)),
    ])
  }

  /// Lists the enrolled fingers (§6.7.6).
  private func enumerateEnrollments(_ request: BioEnrollmentRequest, _ modality: UInt64?) throws(CTAPError) -> [UInt8] {
    // 1 to 5. The token authorizes enrollment.
    try authorizeEnrollment(request, modality)
    // 6. At least one finger is enrolled.
    let fingers = try vault.read().fingers
    guard !fingers.isEmpty else { throw CTAPError(.invalidOption, "no fingerprint is enrolled") }
    // 7. Platforms expect a name for each finger, even an empty one.
    let infos = fingers.map { (finger) -> CBORTree in
      [
        BioEnrollmentKey.templateID: .bytes(finger.templateID),
        BioEnrollmentKey.templateFriendlyName: .text(finger.name ?? ""),
      ]
    }
    return CBORWriter.bytes(of: [BioEnrollmentReplyKey.templateInfos: .array(infos)])
  }

  /// Renames an enrolled finger (§6.7.7).
  private func setFriendlyName(_ request: BioEnrollmentRequest, _ modality: UInt64?) throws(CTAPError) -> [UInt8] {
    // 1. The request has a pinUVAuthParameter.
    try request.requireAuthentication()
    // 2. The required parameters are present.
    let templateID = try request.parameters.bytes(BioEnrollmentKey.templateID)
    let name = try request.parameters.text(BioEnrollmentKey.templateFriendlyName)
    // 3. The name is not too long.
    guard name.utf8.count <= DeviceLimits.maximumFingerNameByteCount else {
      throw CTAPError(.invalidLength, "a name of \(name.utf8.count) bytes")
    }
    // 4 to 6. The token authorizes enrollment.
    try authorizeEnrollment(request, modality)
    // 7. Find the finger and rename it.
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.fingers.firstIndex(where: { $0.templateID.elementsEqual(templateID) }) else {
        throw CTAPError(.invalidOption, "unknown fingerprint")
      }
      state.fingers[index].name = name
    }
    return []
  }

  /// Removes an enrolled finger (§6.7.8).
  private func removeEnrollment(_ request: BioEnrollmentRequest, _ modality: UInt64?) throws(CTAPError) -> [UInt8] {
    // 1. The request has a pinUVAuthParameter.
    try request.requireAuthentication()
    // 2. The required parameters are present.
    let templateID = try request.parameters.bytes(BioEnrollmentKey.templateID)
    // 3 to 5. The token authorizes enrollment.
    try authorizeEnrollment(request, modality)
    // 6. Find the finger and remove it.
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.fingers.firstIndex(where: { $0.templateID.elementsEqual(templateID) }) else {
        throw CTAPError(.invalidOption, "unknown fingerprint")
      }
      state.fingers.remove(at: index)
    }
    return []
  }

  /// Requires a token with the `be` permission and the fingerprint modality, the only supported one.
  func authorizeEnrollment(_ request: BioEnrollmentRequest, _ modality: UInt64?) throws(CTAPError) {
    try request.requireAuthentication()
    guard let modality else { throw CTAPError(.missingParameter, "modality") }
    guard modality == BioEnrollmentKey.fingerprint else { throw CTAPError(.invalidParameter, "modality \(modality)") }
    try authorize(
      request.pinUVAuthParameter, protocol: request.protocolNumber,
      over: [UInt8(truncatingIfNeeded: modality), request.byte] + request.encodedParameters,
      permission: .bioEnrollment, relyingPartyID: nil, isPrototype: request.isPrototype)
  }
}
