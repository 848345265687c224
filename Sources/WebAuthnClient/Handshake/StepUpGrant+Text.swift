// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

extension StepUpGrant {
  /// Creates a grant that was obtained elsewhere, for the action that it is said to confirm.
  public init(exposedText: String, for demand: StepUpDemand) throws(ClientError) {
    let token = SecretBytes(utf8: exposedText)
    guard Handshake.isToken(token) else { throw ClientError(.requestMalformed, "a grant contains no spaces") }
    self.init(demand: demand, expiry: nil, token: token)
  }

  /// The grant's token, for a caller that sends the request by other means.
  public var exposedText: String { token.exposedText }
}
