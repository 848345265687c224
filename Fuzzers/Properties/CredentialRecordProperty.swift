// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// A record is one run of bytes.
func checkCredentialRecord(_ input: Bytes) throws(Violation) {
  let record: CredentialRecord
  do throws(FormatError) {
    record = try CredentialRecord(parsing: input)
  } catch {
    return try require(error.offset, inside: input)
  }
  try require(record.encoded == Array(input), "not its own bytes")
}
