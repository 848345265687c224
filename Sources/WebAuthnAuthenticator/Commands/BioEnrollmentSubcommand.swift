// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What bioEnrollment can be asked to do (CTAP 2.3 §6.7).
enum BioEnrollmentSubcommand: UInt64 {
  case enrollBegin = 0x01
  case enrollCaptureNextSample = 0x02
  case cancelCurrentEnrollment = 0x03
  case enumerateEnrollments = 0x04
  case setFriendlyName = 0x05
  case removeEnrollment = 0x06
  case getFingerprintSensorInfo = 0x07
}

/// The keys of its parameters and of its subcommands', and numbers that stand with them.
enum BioEnrollmentKey {
  static let modality: CBORKey = 0x01
  static let getModality: CBORKey = 0x06

  // Those of a subcommand.
  static let templateID: CBORKey = 0x01
  static let templateFriendlyName: CBORKey = 0x02
  static let timeoutMilliseconds: CBORKey = 0x03

  /// The one modality that there is.
  static let fingerprint: UInt64 = 1
  /// A sensor that a finger is put on, not one that it is swiped over.
  static let touchSensor: UInt64 = 1
}

/// The keys of its answers.
enum BioEnrollmentAnswerKey {
  static let modality: CBORKey = 0x01
  static let fingerprintKind: CBORKey = 0x02
  static let maximumSampleCount: CBORKey = 0x03
  static let templateID: CBORKey = 0x04
  static let sampleStatus: CBORKey = 0x05
  static let remainingSamples: CBORKey = 0x06
  static let templateInfos: CBORKey = 0x07
  static let maximumNameByteCount: CBORKey = 0x08
}

/// What the sensor says of a sample (`lastEnrollSampleStatus`), as far as a simulated one can.
enum FingerSampleStatus: UInt64 {
  case good = 0x00
  /// It is not of the finger that the others were of.
  case mergeFailure = 0x0a
  /// It is of a finger that the device knows.
  case exists = 0x0b
  /// There was none.
  case noUserActivity = 0x0d
}
