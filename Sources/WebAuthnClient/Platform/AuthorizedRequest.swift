// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

/// A request that can carry user verification: makeCredential or getAssertion.
protocol AuthorizedRequest {
  var clientDataHash: Bytes { get }
  var options: CommandOptions { get set }
  var pinUVAuthParameter: Bytes? { get set }
  var pinUVAuthProtocol: UInt64? { get set }
}

extension MakeCredentialRequest: AuthorizedRequest {}

extension GetAssertionRequest: AuthorizedRequest {}

extension AuthorizedRequest {
  /// Adds the user verification to the request.
  mutating func show(_ authorization: Authorization) {
    options.userVerification = authorization.userVerificationOption
    guard let (tag, version) = authorization.parameters(for: clientDataHash) else { return }
    (pinUVAuthParameter, pinUVAuthProtocol) = (tag, version)
  }
}
