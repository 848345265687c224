// SPDX-License-Identifier: Apache-2.0

/// An unfinished fingerprint enrollment (CTAP 2.3 §6.7.4).
struct FingerEnrollment: Sendable {
  /// The template id that the platform uses.
  let templateID: [UInt8]

  /// The finger of the first good sample. All other samples must match it.
  var finger: UInt8?

  /// The number of good samples still required.
  var remainingSamples = DeviceLimits.samplesPerFinger
}
