// SPDX-License-Identifier: Apache-2.0

import Foundation
import PasskeyFormats
import WebAuthnTypes

// Foundation's coders, which most servers use.

func decode<Value: Decodable>(_: Value.Type = Value.self, from json: Bytes) throws -> Value {
  try JSONDecoder().decode(Value.self, from: Data(json))
}

func decode<Value: Decodable>(_: Value.Type = Value.self, from json: String) throws -> Value {
  try decode(Value.self, from: [UInt8](json.utf8)[...])
}

func encode(_ value: some Encodable) throws -> Bytes {
  [UInt8](try JSONEncoder().encode(value))[...]
}

/// The ``FormatError`` under a `DecodingError`.
func underlyingError(_ error: any Error) -> FormatError? {
  switch error {
  case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context):
    context.underlyingError as? FormatError
  default: nil
  }
}

extension String {
  /// The text's UTF-8.
  var bytes: Bytes { [UInt8](utf8)[...] }
}
