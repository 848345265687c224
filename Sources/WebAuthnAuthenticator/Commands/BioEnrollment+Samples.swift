// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// The subcommands of bioEnrollment that take samples of a finger (CTAP 2.3 §6.7.4).
extension SoftwareAuthenticator {
  /// enrollBegin
  func enrollBegin(_ request: SubcommandRequest, _ modality: UInt64?) async throws(CTAPError) -> Bytes {
    // 1. It is authenticated.
    try request.requireAuthentication()
    // 2. What it takes is there.
    let timeLimit = try timeLimit(request)
    // 3 to 5. Who asks may enrol.
    try authorizeEnrollment(request, modality)
    // 6. There is room for one more.
    try requireRoom()
    // 7, 8. What was under way is given up; the new finger has a name of the device's own.
    var enrollment = FingerEnrollment(templateID: try EnrolledFinger.freshTemplateID(random))
    session.sequences.fingerEnrollment = nil
    // 9. The first sample.
    let status = try await takeSample(for: &enrollment, timeLimit)
    // 10. What became of it.
    return CBORWriter.bytes(of: [
      BioEnrollmentAnswerKey.templateID: .bytes(enrollment.templateID),
      BioEnrollmentAnswerKey.sampleStatus: .unsigned(status.rawValue),
      BioEnrollmentAnswerKey.remainingSamples: .unsigned(UInt64(enrollment.remainingSamples)),
    ])[...]
  }

  /// enrollCaptureNextSample
  func enrollCaptureNextSample(_ request: SubcommandRequest, _ modality: UInt64?) async throws(CTAPError) -> Bytes {
    // 1. It is authenticated.
    try request.requireAuthentication()
    // 2. What it takes is there.
    let templateID = try request.parameters.bytes(BioEnrollmentKey.templateID)
    let timeLimit = try timeLimit(request)
    // 3 to 5. Who asks may enrol.
    try authorizeEnrollment(request, modality)
    // The standard does not say what becomes of a sample for an enrolment that is not under way.
    guard var enrollment = session.sequences.fingerEnrollment, enrollment.templateID[...] == templateID else {
      throw CTAPError(.invalidOption, "no such enrolment is under way")
    }
    // 6. There is room for one more.
    try requireRoom()
    // 7. The next sample.
    let status = try await takeSample(for: &enrollment, timeLimit)
    // 8. What became of it.
    return CBORWriter.bytes(of: [
      BioEnrollmentAnswerKey.sampleStatus: .unsigned(status.rawValue),
      BioEnrollmentAnswerKey.remainingSamples: .unsigned(UInt64(enrollment.remainingSamples)),
    ])[...]
  }

  /// Takes one sample, and puts the finger into the vault with the last.
  private func takeSample(
    for enrollment: inout FingerEnrollment, _ timeLimit: Duration?
  ) async throws(CTAPError) -> FingerSampleStatus {
    let status: FingerSampleStatus
    switch await interaction.readFinger(for: InteractionPurpose(.enrollFinger, timeLimit: timeLimit)) {
    case .finger(let finger): status = try judge(finger, for: &enrollment)
    case .timedOut: status = .noUserActivity
    case .refused: throw CTAPError(.operationDenied, "the user refuses")
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

  private func judge(_ finger: UInt8, for enrollment: inout FingerEnrollment) throws(CTAPError) -> FingerSampleStatus {
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

  private func timeLimit(_ request: SubcommandRequest) throws(CTAPError) -> Duration? {
    let milliseconds = try request.parameters.optionalUnsigned(BioEnrollmentKey.timeoutMilliseconds)
    return milliseconds.map { (milliseconds) in .milliseconds(Int64(clamping: milliseconds)) }
  }
}
