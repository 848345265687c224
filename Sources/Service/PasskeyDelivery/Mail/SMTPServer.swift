// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
internal import PasskeySystem
internal import PasskeyTransfers
internal import WebAuthnTypes

/// The mail server to which the service submits mail.
public struct SMTPServer: Sendable {
  /// The URL for libcurl, without user name, and with a slash at its end.
  let url: String
  let username: String?
  let password: SecretBytes?
  let requiresStartTLS: Bool
  let isEncrypted: Bool

  /// The server's host and port, for messages.
  public let name: String

  /// Parses the address of a server.
  ///
  /// `smtp://mail.example` upgrades the connection with STARTTLS, on port 587 unless another is given. `smtps://mail.example`
  /// uses TLS from the beginning, on port 465. `smtp-unencrypted://localhost` sends in plain text, on port 25, and only to
  /// `localhost` or a loopback address. The user name precedes the host, with special characters percent-encoded.
  ///
  /// - Throws: `delivery.address-invalid` or `mail.login-invalid`.
  public init(_ text: String, password: SecretBytes? = nil) throws(DeliveryError) {
    let invalid = DeliveryError(
      .addressInvalid, "use smtp://HOST[:PORT], smtps://HOST[:PORT] or smtp-unencrypted://localhost[:PORT]")
    guard let colon = text.firstRange(of: "://"), let kind = Kind(rawValue: String(text[..<colon.lowerBound])) else {
      throw invalid
    }
    var rest = text[colon.upperBound...]
    if rest.last == "/" { rest = rest.dropLast() }
    var user: String?
    if let at = rest.lastIndex(of: "@") {
      guard let decoded = Self.decoded(rest[..<at]) else {
        throw DeliveryError(.loginInvalid, "write the user name before the host, and the password into a file")
      }
      user = decoded
      rest = rest[rest.index(after: at)...]
    }
    // The rules for hosts and ports are those of web origins.
    guard !rest.contains(where: { "/?#@".contains($0) }), let origin = try? WebOrigin("https://\(rest.lowercased())"),
      case .web(_, let host, let port) = origin.kind, port != 0
    else { throw invalid }
    let hasPort = rest.last?.isNumber == true && rest.lastIndex(of: ":").map { !rest[$0...].contains("]") } ?? false
    let chosen = hasPort ? port : kind.port
    guard (user == nil) == (password == nil) else {
      throw DeliveryError(.loginInvalid, "a user name needs a password, and a password a user name")
    }
    // Other names may resolve to other machines.
    let literal = NumericAddress.bytes(of: host.filter { !"[]".contains($0) })
    guard kind != .plain || host == "localhost" || literal.flatMap({ PeerAddress($0) })?.isLoopback == true else {
      throw DeliveryError(.addressInvalid, "an unencrypted connection goes only to this machine: use smtp or smtps")
    }
    guard user == nil || kind != .plain else {
      throw DeliveryError(.loginInvalid, "a password needs an encrypted connection")
    }
    name = "\(host):\(chosen)"
    url = "\(kind == .implicit ? "smtps" : "smtp")://\(name)/"
    username = user
    self.password = password.map(Self.trimmed)
    requiresStartTLS = kind == .upgraded
    isEncrypted = kind != .plain
  }

  private enum Kind: String {
    case upgraded = "smtp"
    case implicit = "smtps"
    case plain = "smtp-unencrypted"

    var port: UInt16 {
      switch self {
      case .upgraded: 587
      case .implicit: 465
      case .plain: 25
      }
    }
  }

  /// Decodes percent-encoded text. Returns nil if it is malformed, empty, or contains a colon or control characters.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        guard byte != UInt8(ascii: ":") else { return nil }
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the password without a trailing line break.
  private static func trimmed(_ password: SecretBytes) -> SecretBytes {
    password.withBytes { (bytes) in
      var bytes = bytes
      while let last = bytes.last, last == 0x0a || last == 0x0d { bytes = bytes.dropLast() }
      return SecretBytes(bytes)
    }
  }
}
