// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Testing
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct ClientErrorTests {
  @Test(arguments: ClientError.Code.allCases)
  func `every code has the name of an exception`(_ code: ClientError.Code) {
    #expect(ClientError(code).domName.hasSuffix("Error"))
  }

  @Test func `every status maps to an error`() {
    var counts: [ClientError.Code: Int] = [:]
    for byte in UInt8.min...UInt8.max where byte != 0 {
      let error = ClientError(CTAPError(CTAPStatus(rawValue: byte)))
      counts[error.code, default: 0] += 1
      #expect(error.detail?.contains("\(CTAPStatus(rawValue: byte))") == true)
    }
    #expect(counts.values.reduce(0, +) == 255)
    #expect(counts[.authenticatorFailed, default: 0] == 255 - 27)
  }

  @Test(arguments: [
    (CTAPStatus.operationDenied, ClientError.Code.notAllowed, "NotAllowedError"),
    (.notAllowed, .notAllowed, "NotAllowedError"), (.keepaliveCancel, .notAllowed, "NotAllowedError"),
    (.userActionTimeout, .timedOut, "NotAllowedError"), (.actionTimeout, .timedOut, "NotAllowedError"),
    (.timeout, .timedOut, "NotAllowedError"), (.credentialExcluded, .credentialExcluded, "InvalidStateError"),
    (.noCredentials, .noCredentials, "NotAllowedError"),
    (.unsupportedAlgorithm, .algorithmUnsupported, "NotSupportedError"),
    (.keyStoreFull, .authenticatorFull, "NotAllowedError"), (.pinInvalid, .pinInvalid, "NotAllowedError"),
    (.pinBlocked, .pinBlocked, "NotAllowedError"), (.pinAuthBlocked, .pinAttemptsExhausted, "NotAllowedError"),
    (.pinPolicyViolation, .pinChangeNeeded, "NotAllowedError"),
    (.pinNotSet, .userVerificationUnavailable, "NotAllowedError"),
    (.userVerificationBlocked, .userVerificationBlocked, "NotAllowedError"),
    (.userVerificationInvalid, .userVerificationFailed, "NotAllowedError"),
    (.channelBusy, .authenticatorBusy, "NotAllowedError"), (.other, .authenticatorFailed, "NotAllowedError"),
    (.invalidCBOR, .authenticatorFailed, "NotAllowedError"),
    (CTAPStatus(rawValue: 0xf0), .authenticatorFailed, "NotAllowedError"),
  ])
  func `a status has its code and its exception`(_ status: CTAPStatus, _ code: ClientError.Code, _ name: String) {
    let error = ClientError(CTAPError(status))
    #expect(error.code == code)
    #expect(error.domName == name)
  }

  @Test func `the cause of a device's error stays with the error, and is not compared`() {
    let error = ClientError(CTAPError(.operationDenied, "there is no vault", cause: ClientError(.unreachable)))
    #expect(error.cause as? ClientError == ClientError(.unreachable))
    #expect(error == ClientError(CTAPError(.operationDenied, "there is no vault")))
  }

  @Test func `malformed base64url in options has its own code`() throws {
    let bad = try #require(throws: FormatError.self) {
      try RequestOptions(json: [UInt8](#"{"challenge":"!"}"#.utf8)[...])
    }
    #expect(ClientError(options: bad).domName == "EncodingError")
    let missing = try #require(throws: FormatError.self) { try RequestOptions(json: [UInt8]("{}".utf8)[...]) }
    #expect(ClientError(options: missing).domName == "TypeError")
  }
}
