// SPDX-License-Identifier: Apache-2.0

/// What is wrong with some bytes, and where.
///
/// The one error of this floor. `code` is for programs and never changes its name; `offset` is an index into the array
/// from which the bytes that were read are a slice (for a whole array: the number of bytes before the fault).
public struct WireError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// The index of the first byte that could not be accepted, or of the end where bytes are missing.
  public let offset: Int

  /// Makes an error.
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension WireError: CustomStringConvertible {
  /// The code and the offset, for a log line.
  public var description: String { "\(code.rawValue) at offset \(offset)" }
}
