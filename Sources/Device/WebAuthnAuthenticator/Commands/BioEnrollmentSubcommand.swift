// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The subcommands of authenticatorBioEnrollment (CTAP 2.3 §6.7).
enum BioEnrollmentSubcommand: UInt64 {
  case enrollBegin = 0x01
  case enrollCaptureNextSample = 0x02
  case cancelCurrentEnrollment = 0x03
  case enumerateEnrollments = 0x04
  case setFriendlyName = 0x05
  case removeEnrollment = 0x06
  case getFingerprintSensorInfo = 0x07
}

typealias BioEnrollmentRequest = SubcommandRequest<BioEnrollmentSubcommand>

/// The parameter keys of authenticatorBioEnrollment and its subcommands, and some of their values.
enum BioEnrollmentKey {
  static let modality: CBORKey = 0x01
  static let getModality: CBORKey = 0x06

  // Subcommand parameters.
  static let templateID: CBORKey = 0x01
  static let templateFriendlyName: CBORKey = 0x02
  static let timeoutMilliseconds: CBORKey = 0x03

  /// The only supported modality.
  static let fingerprint: UInt64 = 1
  /// A touch sensor, as opposed to a swipe sensor.
  static let touchSensor: UInt64 = 1
}

/// The response keys of authenticatorBioEnrollment.
enum BioEnrollmentReplyKey {
  static let modality: CBORKey = 0x01
  static let fingerprintKind: CBORKey = 0x02
  static let maximumSampleCount: CBORKey = 0x03
  static let templateID: CBORKey = 0x04
  static let sampleStatus: CBORKey = 0x05
  static let remainingSamples: CBORKey = 0x06
  static let templateInfos: CBORKey = 0x07
  static let maximumNameByteCount: CBORKey = 0x08
}

/// The result of one sample (`lastEnrollSampleStatus`), limited to the values that the simulated sensor returns.
enum FingerSampleStatus: UInt64 {
  case good = 0x00
  /// The sample comes from another finger than the previous samples.
  case mergeFailure = 0x0a
  /// The finger is already enrolled.
  case exists = 0x0b
  /// The user did not touch the sensor in time.
  case noUserActivity = 0x0d
}
