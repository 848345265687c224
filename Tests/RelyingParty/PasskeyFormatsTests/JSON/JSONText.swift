// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats

/// Parses a text inside a larger array, so that offsets that ignore the start of the slice are wrong.
func readJSON(_ text: some Sequence<UInt8>, maximumSize: Int = JSON.maximumMessageSize) throws(WireError) -> JSONValue {
  let before = [UInt8](repeating: UInt8(ascii: "["), count: JSONText.bytesBefore)
  let whole = before + text + [UInt8(ascii: "]")]
  return try JSON.parse(whole[before.count..<whole.count - 1], maximumSize: maximumSize)
}

func readJSON(_ text: String, maximumSize: Int = JSON.maximumMessageSize) throws(WireError) -> JSONValue {
  try readJSON(text.utf8, maximumSize: maximumSize)
}

enum JSONText {
  static let bytesBefore = 3

  /// Returns an error at a byte of the text.
  static func error(_ code: WireError.Code, at offset: Int) -> WireError {
    WireError(code, at: bytesBefore + offset)
  }
}
