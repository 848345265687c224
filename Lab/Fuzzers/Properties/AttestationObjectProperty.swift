// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

func checkAttestationObject(_ input: Bytes) throws(Violation) {
  let object: AttestationObject
  do throws(FormatError) {
    object = try AttestationObject(parsing: input)
  } catch {
    return try require(error.offset, inside: input)
  }
  try require(object.encoded == input, "the stored encoding differs from the input")
  try require(object.statement.offset, inside: input)
  try require(object.authenticatorData.encoded.startIndex, inside: input)
  let isArray = (try? object.statement.array) != nil
  try require(isArray == (object.format == .compound), "the statement does not match its format")
}
