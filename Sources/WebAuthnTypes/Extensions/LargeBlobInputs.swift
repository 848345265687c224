// SPDX-License-Identifier: Apache-2.0

/// What the extension `largeBlob` is asked (WebAuthn §10.1.5): at a registration for support, at a sign-in for access.
public struct LargeBlobInputs: Hashable, Sendable {
  /// Whether a new credential must have room.
  public var support: LargeBlobSupport?

  /// What to do with the blob.
  public var access: LargeBlobAccess?

  /// Takes what is asked.
  public init(support: LargeBlobSupport? = nil, access: LargeBlobAccess? = nil) {
    self.support = support
    self.access = access
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    support = try members.textIfPresent("support").map { LargeBlobSupport(rawValue: $0) }
    let read = try members.boolIfPresent("read")
    let write = try members.bytesIfPresent("write")
    // Read and written at once is what no client does, whatever the truth value of "read" is.
    guard read == nil || write == nil else { throw members.invalid("write") }
    access = write.map { .write($0) } ?? (read == true ? .read : nil)
  }

  /// What is asked, as JSON has it.
  public var value: ExtensionValue {
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
