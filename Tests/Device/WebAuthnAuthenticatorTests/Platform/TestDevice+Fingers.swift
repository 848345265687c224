// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import WebAuthnTypes

@testable import WebAuthnAuthenticator

extension TestDevice {
  /// Creates a device with the PIN 1234, and fingers with templates named for them.
  static func withPIN(fingers: [UInt8] = []) async throws -> TestDevice {
    let device = try TestDevice { (state) in
      state.fingers = fingers.map { (finger) in EnrolledFinger(templateID: [finger], finger: finger, name: nil) }
    }
    try await device.platform().setPIN("1234")
    return device
  }
}

extension TestPlatform {
  /// Returns a token for managing the fingers of such a device.
  func enrollmentToken() async throws -> SecretBytes {
    try await token("1234", .bioEnrollment)
  }
}
