// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

func checkRegistrationResponse(_ input: Bytes) {
  do throws(FormatError) {
    let response = try RegistrationResponse(json: input)
    let written = response.json
    guard written.count <= JSON.maximumMessageSize else { return }
    require((try? RegistrationResponse(json: written[...])) == response, "written, and something else read")
  } catch {
    requireInside(error.offset, input)
  }
}

func checkAuthenticationResponse(_ input: Bytes) {
  do throws(FormatError) {
    let response = try AuthenticationResponse(json: input)
    let written = response.json
    guard written.count <= JSON.maximumMessageSize else { return }
    require((try? AuthenticationResponse(json: written[...])) == response, "written, and something else read")
  } catch {
    requireInside(error.offset, input)
  }
}
