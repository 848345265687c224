// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

func checkRegistrationResponse(_ input: Bytes) throws(Violation) {
  let response: RegistrationResponse
  do throws(FormatError) {
    response = try RegistrationResponse(json: input)
  } catch {
    return try require(error.offset, inside: input)
  }
  try checkExtensions(response.clientExtensionResults)
  let written = response.json
  guard written.count <= JSON.maximumMessageSize else { return }
  try require((try? RegistrationResponse(json: written[...])) == response, "the round trip changed the value")
}

func checkAuthenticationResponse(_ input: Bytes) throws(Violation) {
  let response: AuthenticationResponse
  do throws(FormatError) {
    response = try AuthenticationResponse(json: input)
  } catch {
    return try require(error.offset, inside: input)
  }
  try checkExtensions(response.clientExtensionResults)
  let written = response.json
  guard written.count <= JSON.maximumMessageSize else { return }
  try require((try? AuthenticationResponse(json: written[...])) == response, "the round trip changed the value")
  // A server reads the response from its parsed body. Text as browsers write it takes a fast path instead.
  let parsed = (try? JSON.parse(input)).flatMap { try? AuthenticationResponse(json: $0) }
  try require(parsed == response, "the JSON parser reads another value")
}
