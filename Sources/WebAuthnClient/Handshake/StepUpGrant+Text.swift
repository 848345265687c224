// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

extension StepUpGrant {
  /// A grant that came from elsewhere, with the act that it is said to confirm.
  public init(exposedText: String, for demand: StepUpDemand) throws(ClientError) {
    let token = SecretBytes(utf8: exposedText)
    guard Handshake.isToken(token) else { throw ClientError(.requestMalformed, "a grant has no spaces in it") }
    self.init(demand: demand, expiry: nil, token: token)
  }

  /// What is shown to the server, for whoever sends the request in another way.
  public var exposedText: String { token.exposedText }
}
