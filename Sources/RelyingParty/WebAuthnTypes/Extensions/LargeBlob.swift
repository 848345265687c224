// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The input of the extension `largeBlob` (WebAuthn §10.1.5): `support` at a registration, `access` at a sign-in.
package struct LargeBlobInputs: Hashable, Sendable {
  /// Whether a new credential must support large blobs.
  package var support: LargeBlobSupport?

  /// Whether to read or write the blob.
  package var access: LargeBlobAccess?

  /// Creates an input.
  package init(support: LargeBlobSupport? = nil, access: LargeBlobAccess? = nil) {
    self.support = support
    self.access = access
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    support = try members.textIfPresent("support").map { LargeBlobSupport(rawValue: $0) }
    let read = try members.boolIfPresent("read")
    let write = try members.byteArrayIfPresent("write")
    // No client reads and writes at once, so both members together are invalid even if `read` is false.
    guard read == nil || write == nil else { throw members.invalid("write") }
    access = write.map { .write($0) } ?? (read == true ? .read : nil)
  }

  /// The input as a JSON value.
  package var value: ExtensionValue {
    var members: [String: ExtensionValue] = [:]
    members["support"] = support.map { .string($0.rawValue) }
    switch access {
    case .read?: members["read"] = true
    case .write(let blob)?: members["write"] = .base64URL(blob)
    case nil: break
    }
    return .object(members)
  }
}

/// Whether a new credential must support large blobs (WebAuthn §10.1.5).
package struct LargeBlobSupport: OpenString {
  /// The string.
  package let rawValue: String

  /// The value with this string, known or not.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creation fails on an authenticator without large-blob support.
  package static let required = Self(rawValue: "required")
  /// Large-blob support is optional.
  package static let preferred = Self(rawValue: "preferred")
}

/// The operation of a sign-in on the credential's large blob (WebAuthn §10.1.5).
package enum LargeBlobAccess: Hashable, Sendable {
  /// Reads the blob.
  case read
  /// Replaces the blob. The sign-in must list exactly one credential.
  case write([UInt8])
}

/// The client's output of the extension `largeBlob` (WebAuthn §10.1.5).
package struct LargeBlobOutputs: Hashable, Sendable {
  /// Whether the new credential supports large blobs; only present at a registration.
  package var isSupported: Bool?

  /// The blob that was read; nil if the credential has no blob or reading failed.
  package var blob: [UInt8]?

  /// Whether the blob was written.
  package var isWritten: Bool?

  /// Creates an output.
  package init(isSupported: Bool? = nil, blob: [UInt8]? = nil, isWritten: Bool? = nil) {
    self.isSupported = isSupported
    self.blob = blob
    self.isWritten = isWritten
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    isSupported = try members.boolIfPresent("supported")
    blob = try members.byteArrayIfPresent("blob")
    isWritten = try members.boolIfPresent("written")
  }

  /// The output as a JSON value.
  package var value: ExtensionValue {
    .object(ofPresent: [
      "supported": isSupported.map { .bool($0) }, "blob": blob.map { .base64URL($0) },
      "written": isWritten.map { .bool($0) },
    ])
  }
}

extension LargeBlobOutputs: CustomStringConvertible {
  /// A summary without the blob's content.
  package var description: String {
    let parts = [
      isSupported.map { $0 ? "supported" : "not supported" }, blob.map { "\($0.count) bytes read" },
      isWritten.map { $0 ? "written" : "not written" },
    ].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
