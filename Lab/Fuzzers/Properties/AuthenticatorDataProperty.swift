// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

func checkAuthenticatorData(_ input: Bytes) throws(Violation) {
  let data: AuthenticatorData
  do throws(FormatError) {
    data = try AuthenticatorData(parsing: input)
  } catch {
    return try require(error.offset, inside: input)
  }
  try require(data.encoded == input, "the stored encoding differs from the input")
  try require(data.flags.contains(.attestedCredentialData) == (data.attestedCredentialData != nil), "AT flag")
  try require(data.flags.contains(.extensionData) == (data.extensions != nil), "ED flag")
  if let extensions = data.extensions { try checkExtensions(extensions, of: input) }
}
