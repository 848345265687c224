// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

extension UserHandle {
  /// The handle as a UUID in lower case; nil if it does not have 16 bytes.
  public var uuid: String? { AAGUID([UInt8](Bytes(bytes)))?.description }

  /// Creates a handle from the text of ``uuid``. Returns nil if it is not a UUID.
  public init?(uuid: String) {
    // An AAGUID has the form of a UUID.
    guard let form = AAGUID(uuid: uuid), let handle = try? UserHandle(form.bytes) else { return nil }
    self = handle
  }

  /// Generates the handle of a new account.
  init(_ form: ServicePolicy.Identifiers.HandleForm, random: RandomSource) throws(ServiceError) {
    var bytes = try random.draw(form.byteCount)
    if form == .uuid {
      bytes[6] = bytes[6] & 0x0f | 0x40
      bytes[8] = bytes[8] & 0x3f | 0x80
    }
    self = try mapError(UserHandle(bytes)) { (error: FormatError) in
      ServiceError(.randomnessUnavailable, cause: .format(error))
    }
  }
}
