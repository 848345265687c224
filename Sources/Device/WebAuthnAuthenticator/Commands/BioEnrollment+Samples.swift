// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// The subcommands of authenticatorBioEnrollment that capture fingerprint samples (CTAP 2.3 §6.7.4).
extension SoftwareAuthenticator {
  /// Executes enrollBegin: starts an enrollment and captures its first sample.
  func enrollBegin(_ request: BioEnrollmentRequest, _ modality: UInt64?) async throws(CTAPError) -> [UInt8] {
    // 1. The request has a pinUVAuthParameter.
    try request.requireAuthentication()
    // 2. The required parameters are present.
    let timeLimit = try timeLimit(request)
    // 3 to 5. The token authorizes enrollment.
    try authorizeEnrollment(request, modality)
    // 6. The fingerprint database is not full.
    try requireRoom()
    // 7, 8. Cancel an unfinished enrollment and generate a template id for the new one.
    var enrollment = FingerEnrollment(templateID: try EnrolledFinger.randomTemplateID(random))
    session.sequences.fingerEnrollment = nil
    // 9. Capture the first sample.
    let status = try await takeSample(for: &enrollment, timeLimit)
    // 10. Return the template id, the sample status and the number of remaining samples.
    return CBORWriter.bytes(of: [
      BioEnrollmentReplyKey.templateID: .bytes(enrollment.templateID),
      BioEnrollmentReplyKey.sampleStatus: .unsigned(status.rawValue),
      BioEnrollmentReplyKey.remainingSamples: .unsigned(UInt64(enrollment.remainingSamples)),
    ])
  }

  /// Executes enrollCaptureNextSample: captures another sample for the unfinished enrollment.
  func enrollCaptureNextSample(
    _ request: BioEnrollmentRequest, _ modality: UInt64?
  ) async throws(CTAPError) -> [UInt8] {
    // 1. The request has a pinUVAuthParameter.
    try request.requireAuthentication()
    // 2. The required parameters are present.
    let templateID = try request.parameters.bytes(BioEnrollmentKey.templateID)
    let timeLimit = try timeLimit(request)
    // 3 to 5. The token authorizes enrollment.
    try authorizeEnrollment(request, modality)
    // The standard does not define the response for a template id that is not being enrolled.
    guard var enrollment = session.sequences.fingerEnrollment, enrollment.templateID.elementsEqual(templateID) else {
      throw CTAPError(.invalidOption, "no such enrolment is in progress")
    }
    // 6. The fingerprint database is not full.
    try requireRoom()
    // 7. Capture the next sample.
    let status = try await takeSample(for: &enrollment, timeLimit)
    // 8. Return the sample status and the number of remaining samples.
    return CBORWriter.bytes(of: [
      BioEnrollmentReplyKey.sampleStatus: .unsigned(status.rawValue),
      BioEnrollmentReplyKey.remainingSamples: .unsigned(UInt64(enrollment.remainingSamples)),
    ])
  }

  /// Captures one sample. After the last one, stores the finger in the vault.
  private func takeSample(
    for enrollment: inout FingerEnrollment, _ timeLimit: Duration?
  ) async throws(CTAPError) -> FingerSampleStatus {
    let status: FingerSampleStatus
    switch await interaction.readFinger(for: InteractionPurpose(.enrollFinger, timeLimit: timeLimit)) {
    case .finger(let finger): status = try match(finger, for: &enrollment)
    case .timedOut: status = .noUserActivity
    case .refused: throw CTAPError(.operationDenied, "the user refused")
    case .cancelled: throw CTAPError(.keepaliveCancel)
    }
    guard let finger = enrollment.finger, enrollment.remainingSamples == 0 else {
      session.sequences.fingerEnrollment = enrollment
      return status
    }
    let enrolled = EnrolledFinger(templateID: enrollment.templateID, finger: finger, name: nil)
    try vault.update { (state) in state.fingers.append(enrolled) }
    session.sequences.fingerEnrollment = nil
    return status
  }

  private func match(_ finger: UInt8, for enrollment: inout FingerEnrollment) throws(CTAPError) -> FingerSampleStatus {
    guard try !vault.read().fingers.contains(where: { (known) in known.finger == finger }) else { return .exists }
    guard enrollment.finger ?? finger == finger else { return .mergeFailure }
    enrollment.finger = finger
    enrollment.remainingSamples -= 1
    return .good
  }

  private func requireRoom() throws(CTAPError) {
    guard try vault.read().fingers.count < DeviceLimits.maximumFingers else {
      throw CTAPError(.fingerprintDatabaseFull)
    }
  }

  private func timeLimit(_ request: BioEnrollmentRequest) throws(CTAPError) -> Duration? {
    let milliseconds = try request.parameters.unsignedIfPresent(BioEnrollmentKey.timeoutMilliseconds)
    return milliseconds.map { (milliseconds) in .milliseconds(Int64(clamping: milliseconds)) }
  }
}
