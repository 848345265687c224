// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// A map of parameters or of a reply.
typealias TestMap = [CBORKey: CBORTree]

/// The platform's role, as in a browser or an operating system: sends commands and parses replies.
struct TestPlatform {
  let authenticator: SoftwareAuthenticator
  let version: TestPINProtocol

  /// Sends a command and parses its reply.
  @discardableResult
  func send(_ command: CTAPCommand, _ parameters: TestMap? = nil) async throws -> TestMap {
    let encoded = parameters.map { (parameters) in CBORWriter.bytes(of: .map(parameters)) } ?? []
    let answer = try await authenticator.perform(command, encoded)
    guard !answer.isEmpty else { return [:] }
    guard case .map(let map) = CBORTree(try CBORValue(parsing: answer, rules: .canonical)) else {
      throw CTAPError(.invalidCBOR, "a reply that is not a map")
    }
    return map
  }

  /// Returns the error status of a command that must fail.
  func status(_ command: CTAPCommand, _ parameters: TestMap? = nil) async -> CTAPStatus {
    await status { () async throws in try await send(command, parameters) }
  }

  /// Returns the error status of an operation.
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

  /// Returns the parameter that authenticates a message with a token.
  func authenticate(_ message: [UInt8], _ token: SecretBytes) -> CBORTree {
    .bytes(version.authenticate(message, token))
  }
}

extension TestMap {
  /// Returns the byte string at `key`.
  func bytes(_ key: CBORKey) throws -> [UInt8] {
    guard case .bytes(let bytes) = self[key] else { throw CTAPError(.missingParameter, "\(key)") }
    return bytes
  }
}
