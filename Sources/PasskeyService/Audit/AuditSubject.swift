// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
internal import WireFormats

/// The object of an event as a record names it: a kind and a name, such as `session:…`.
public enum AuditSubject: Hashable, Sendable {
  /// An account.
  case account(UserHandle)
  /// A passkey.
  case credential(CredentialID)
  /// A session.
  case session(SessionID)
  /// A device.
  case device(DeviceID)
  /// A one-time code, by its hash.
  case code(TokenDigest)
  /// A protected action, by its digest.
  case action([UInt8])
  /// An object of a server that embeds the service.
  case other(kind: String, name: String)

  /// The text in the record.
  public var text: String {
    switch self {
    case .account(let handle): "account:\(handle)"
    case .credential(let id): "credential:\(id)"
    case .session(let id): "session:\(id)"
    case .device(let id): "device:\(id)"
    case .code(let digest): "code:\(digest)"
    case .action(let digest): "action:\(Base64URL.encode(digest))"
    case .other(let kind, let name): "\(kind):\(name)"
    }
  }
}
