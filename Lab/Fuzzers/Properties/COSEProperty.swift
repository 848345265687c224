// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

func checkCOSE(_ input: Bytes) throws(Violation) {
  try check(input) { () throws(COSEError) in try COSEKey(parsing: input) }
  try check(input) { () throws(COSEError) in try COSEKey(parsingTextValuedKey: input) }
}

private func check(_ input: Bytes, _ read: () throws(COSEError) -> COSEKey) throws(Violation) {
  let key: COSEKey
  do throws(COSEError) {
    key = try read()
  } catch {
    if let offset = error.offset { try require(offset, inside: input) }
    return
  }
  let written = key.encoded
  guard let again = try? COSEKey(parsing: written[...], rules: .canonical) else {
    throw Violation(description: "written bytes cannot be parsed")
  }
  try require(again.encoded == written, "two writes differ")
  try require(again.algorithm == key.algorithm, "another algorithm")
  try require(key.algorithm.definition?.keyType == key.material.keyType, "the key type does not match the algorithm")
  try require(key.algorithm.definition?.curve == key.material.curve, "the curve does not match the algorithm")
}
