// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

func checkAuthenticatorData(_ input: Bytes) {
  do throws(FormatError) {
    let data = try AuthenticatorData(parsing: input)
    require(data.encoded == input, "not its own bytes")
    require(data.flags.contains(.attestedCredentialData) == (data.attestedCredentialData != nil), "AT flag")
    require(data.flags.contains(.extensionData) == (data.extensions != nil), "ED flag")
  } catch {
    requireInside(error.offset, input)
  }
}
