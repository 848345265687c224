// SPDX-License-Identifier: Apache-2.0

// The challenge that a response names (WebAuthn §5.8.1). It is not verified: it only finds the pending ceremony.

extension RegistrationResponse {
  /// The challenge in the client data, for a store whose pending ceremonies are found by their challenge.
  public var challenge: Challenge {
    get throws(FormatError) { Challenge(allowingGuessableLength: try ClientData(parsing: clientDataJSON).challenge) }
  }
}

extension AuthenticationResponse {
  /// The challenge in the client data, for a store whose pending ceremonies are found by their challenge.
  public var challenge: Challenge {
    get throws(FormatError) { Challenge(allowingGuessableLength: try ClientData(parsing: clientDataJSON).challenge) }
  }
}
