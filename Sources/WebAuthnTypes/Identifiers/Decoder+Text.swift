// SPDX-License-Identifier: Apache-2.0

extension Decoder {
  /// Reads a string, and what it stands for. What is wrong with it is said by the coder's own error, with the cause in it.
  func readText<Value, Failure: Error>(_ read: (String) throws(Failure) -> Value) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do {
      return try read(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }
}
