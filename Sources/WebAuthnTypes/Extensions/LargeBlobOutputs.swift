// SPDX-License-Identifier: Apache-2.0

/// What a client says of the extension `largeBlob` (WebAuthn §10.1.5).
public struct LargeBlobOutputs: Hashable, Sendable {
  /// Whether the new credential has room for a blob. Said at a registration only.
  public var isSupported: Bool?

  /// The blob that was read, where there was one and it could be read.
  public var blob: [UInt8]?

  /// Whether the blob that was to be written has been.
  public var isWritten: Bool?

  /// Takes what is said.
  public init(isSupported: Bool? = nil, blob: [UInt8]? = nil, isWritten: Bool? = nil) {
    self.isSupported = isSupported
    self.blob = blob
    self.isWritten = isWritten
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    isSupported = try members.boolIfPresent("supported")
    blob = try members.bytesIfPresent("blob")
    isWritten = try members.boolIfPresent("written")
  }

  /// What is said, as JSON has it.
  public var value: ExtensionValue {
    .object(ofPresent: [
      "supported": isSupported.map { .bool($0) }, "blob": blob.map { .base64URL($0) },
      "written": isWritten.map { .bool($0) },
    ])
  }
}

extension LargeBlobOutputs: CustomStringConvertible {
  /// In words, and without the blob.
  public var description: String {
    let parts = [
      isSupported.map { $0 ? "supported" : "not supported" }, blob.map { "\($0.count) bytes read" },
      isWritten.map { $0 ? "written" : "not written" },
    ].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
