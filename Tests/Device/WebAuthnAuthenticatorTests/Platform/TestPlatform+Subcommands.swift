// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import WebAuthnTypes

@testable import WebAuthnAuthenticator

// The management commands, authenticated by a platform.
extension TestPlatform {
  /// Returns the parameters of credentialManagement (§6.8).
  func managing(_ subcommand: UInt8, _ token: SecretBytes? = nil, _ parameters: TestMap? = nil) -> TestMap {
    request(subcommand, parameters, token, prefix: [], first: 1)
  }

  /// Returns the parameters of authenticatorConfig (§6.11).
  func configuring(_ subcommand: UInt8, _ token: SecretBytes? = nil, _ parameters: TestMap? = nil) -> TestMap {
    request(subcommand, parameters, token, prefix: [UInt8](repeating: 0xff, count: 32) + [0x0d], first: 1)
  }

  /// Returns the parameters of bioEnrollment (§6.7).
  func enrolling(_ subcommand: UInt8, _ token: SecretBytes? = nil, _ parameters: TestMap? = nil) -> TestMap {
    var request = request(subcommand, parameters, token, prefix: [1], first: 2)
    request[1] = 1
    return request
  }

  /// Returns the parameters of largeBlobs (§6.10) for a write.
  func writing(
    _ fragment: [UInt8], at offset: UInt32, of length: UInt64? = nil, _ token: SecretBytes? = nil
  ) -> TestMap {
    var request: TestMap = [2: .bytes(fragment), 3: .unsigned(UInt64(offset))]
    request[4] = length.map { (length) in .unsigned(length) }
    if let token {
      let place = [0, 8, 16, 24].map { (shift) in UInt8(truncatingIfNeeded: offset >> shift) }
      let message = [UInt8](repeating: 0xff, count: 32) + [0x0c, 0x00] + place + Digest.sha256(fragment[...])
      request[5] = authenticate(message, token)
      request[6] = .unsigned(version.rawValue)
    }
    return request
  }

  private func request(
    _ subcommand: UInt8, _ parameters: TestMap?, _ token: SecretBytes?, prefix: [UInt8], first: Int64
  ) -> TestMap {
    var request: TestMap = [.integer(first): .unsigned(UInt64(subcommand))]
    request[.integer(first + 1)] = parameters.map { (parameters) in .map(parameters) }
    if let token {
      let encoded = parameters.map { (parameters) in CBORWriter.bytes(of: .map(parameters)) } ?? []
      request[.integer(first + 2)] = .unsigned(version.rawValue)
      request[.integer(first + 3)] = authenticate(prefix + [subcommand] + encoded, token)
    }
    return request
  }
}
