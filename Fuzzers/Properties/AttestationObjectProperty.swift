// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

func checkAttestationObject(_ input: Bytes) {
  do throws(FormatError) {
    let object = try AttestationObject(parsing: input)
    require(object.encoded == input, "not its own bytes")
    requireInside(object.statement.offset, input)
    requireInside(object.authenticatorData.encoded.startIndex, input)
    let isArray = (try? object.statement.array) != nil
    require(isArray == (object.format == .compound), "a statement of another kind")
  } catch {
    requireInside(error.offset, input)
  }
}
