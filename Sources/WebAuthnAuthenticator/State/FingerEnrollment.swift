// SPDX-License-Identifier: Apache-2.0

/// A finger of which not all samples have been taken yet (CTAP 2.3 §6.7.4).
struct FingerEnrollment: Sendable {
  /// What the platform calls it.
  let templateID: [UInt8]

  /// The finger of the first good sample: the others have to be of the same.
  var finger: UInt8?

  /// How many good samples are still wanted.
  var remainingSamples = DeviceLimits.samplesPerFinger
}
