// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A structure that is parsed from bytes.
package protocol ByteParsable {
  /// The error of malformed bytes.
  associatedtype ParsingError: Error

  /// Parses a structure that is all of `bytes`.
  init(parsing bytes: Bytes) throws(ParsingError)
}

extension ByteParsable {
  /// Parses a structure that is all of `bytes`, without copying them.
  package init(parsing bytes: [UInt8]) throws(ParsingError) {
    try self.init(parsing: bytes[...])
  }
}
