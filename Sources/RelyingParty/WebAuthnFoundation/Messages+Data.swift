// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import WebAuthnTypes

extension JSONRepresentable {
  /// Parses JSON text in UTF-8, such as the body of a request.
  ///
  /// - Throws: The errors of the initializer that takes bytes.
  public init(json data: Data) throws(FormatError) {
    try self.init(json: [UInt8](data))
  }

  /// The message as JSON text in UTF-8.
  public var jsonData: Data { Data(json) }
}

extension CredentialRecord {
  /// Parses the output of `encoded`.
  ///
  /// - Throws: The errors of the initializer that takes bytes.
  public init(parsing data: Data) throws(FormatError) {
    try self.init(parsing: [UInt8](data))
  }
}

extension OpaqueBytes {
  /// Creates a value, for example a credential ID from a column of a database.
  ///
  /// - Throws: A `FormatError` if the length is not allowed.
  public init(_ data: Data) throws(FormatError) {
    try self.init([UInt8](data))
  }

  /// The bytes as Foundation's `Data`.
  public var data: Data { Data(bytes) }
}
