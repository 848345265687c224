// SPDX-License-Identifier: Apache-2.0

/// A registration response as a server received it, with its client data parsed.
///
/// The response and its client data are each read once: a server finds the pending ceremony by the challenge, and the
/// ceremony verifies the same values.
package struct ReceivedRegistration: Sendable {
  /// The response, decoded.
  package let response: RegistrationResponse

  /// The client data, or the error of malformed ones, which the ceremony reports in its own step.
  package let clientData: Result<ClientData, FormatError>

  /// Parses the client data of a response.
  package init(_ response: consuming RegistrationResponse) {
    let bytes = response.clientDataJSON
    self.response = response
    clientData = Result { () throws(FormatError) in try ClientData(parsing: bytes) }
  }
}

/// A sign-in response as a server received it, with its client data parsed. See ``ReceivedRegistration``.
package struct ReceivedAuthentication: Sendable {
  /// The response, decoded.
  package let response: AuthenticationResponse

  /// The client data, or the error of malformed ones, which the ceremony reports in its own step.
  package let clientData: Result<ClientData, FormatError>

  /// Parses the client data of a response.
  package init(_ response: consuming AuthenticationResponse) {
    let bytes = response.clientDataJSON
    self.response = response
    clientData = Result { () throws(FormatError) in try ClientData(parsing: bytes) }
  }
}
