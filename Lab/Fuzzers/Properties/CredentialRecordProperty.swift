// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// A record has exactly one encoding.
func checkCredentialRecord(_ input: Bytes) throws(Violation) {
  let record: CredentialRecord
  do throws(FormatError) {
    record = try CredentialRecord(parsing: [UInt8](input))
  } catch {
    return try require(input.startIndex + error.offset, inside: input)
  }
  try require(record.encoded == Array(input), "the stored encoding differs from the input")
}
