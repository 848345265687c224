// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

extension SQLValue {
  static func fixed(_ value: some FixedBytes) -> Self { .bytes(value.bytes[...]) }
}

extension SQLRow {
  func fixed<Value: FixedBytes>(_ column: Int, _: Value.Type = Value.self) throws(StorageError) -> Value {
    guard let value = Value(try bytes(column)) else { throw unexpected(column) }
    return value
  }
}
