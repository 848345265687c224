// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import WireFormats

func checkCOSE(_ input: Bytes) {
  for isTextValued in [false, true] {
    do throws(COSEError) {
      let key = try isTextValued ? COSEKey(parsingTextValuedKey: input) : COSEKey(parsing: input)
      let written = key.encoded
      guard let again = try? COSEKey(parsing: written[...], rules: .canonical) else {
        fatalError("written and not read")
      }
      require(again.encoded == written, "written twice, and differently")
      require(again.algorithm == key.algorithm, "another algorithm")
      require(key.algorithm.definition?.keyType == key.material.keyType, "a key of another type")
      require(key.algorithm.definition?.curve == key.material.curve, "a key on another curve")
    } catch {
      if let offset = error.offset { requireInside(offset, input) }
    }
  }
}
