// SPDX-License-Identifier: Apache-2.0

/// Standard error: what people are told besides the data.
enum Diagnostics {
  /// A line that is good to know. When it cannot be written, there is nobody left to tell.
  static func note(_ text: String) {
    try? FileDescriptor.standardError.write([UInt8]("passkey: \(text)\n".utf8))
  }
}
