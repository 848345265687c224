// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import SystemCrypto
import WebAuthnTypes
import WireFormats

@testable import WebAuthnAuthenticator

/// A map of parameters, or of an answer.
typealias TestMap = [CBORKey: CBORTree]

/// What a browser or an operating system does with a device: sends commands, reads answers.
struct TestPlatform {
  let authenticator: SoftwareAuthenticator
  let version: TestPINProtocol

  /// Sends a command, and takes its answer apart.
  @discardableResult
  func send(_ command: CTAPCommand, _ parameters: TestMap? = nil) async throws -> TestMap {
    let encoded = parameters.map { (parameters) in CBORWriter.bytes(of: .map(parameters)) } ?? []
    let answer = try await authenticator.perform(command, encoded[...])
    guard !answer.isEmpty else { return [:] }
    guard case .map(let map) = CBORTree(try CBORValue(parsing: answer, rules: .canonical)) else {
      throw CTAPError(.invalidCBOR, "an answer that is no map")
    }
    return map
  }

  /// What a command was answered with, in place of success.
  func status(_ command: CTAPCommand, _ parameters: TestMap? = nil) async -> CTAPStatus {
    await status { () async throws in try await send(command, parameters) }
  }

  /// What something came to.
  func status(_ body: () async throws -> Any) async -> CTAPStatus {
    do {
      _ = try await body()
      return .success
    } catch let error as CTAPError {
      return error.status
    } catch {
      return CTAPStatus(rawValue: 0xff)
    }
  }

  /// The parameter that goes with a message under a token.
  func authenticate(_ message: [UInt8], _ token: SecretBytes) -> CBORTree {
    .bytes(version.authenticate(message, token))
  }
}

extension TestMap {
  /// The bytes that stand with `key`.
  func bytes(_ key: CBORKey) throws -> [UInt8] {
    guard case .bytes(let bytes) = self[key] else { throw CTAPError(.missingParameter, "\(key)") }
    return bytes
  }
}
