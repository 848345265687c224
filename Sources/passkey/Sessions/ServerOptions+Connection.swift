// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import WebAuthnClient
internal import WireFormats

// curl's options. They are validated before any request, because libcurl ignores some malformed values.

extension ServerOptions {
  static func http(_ arguments: ParsedArguments) throws(CommandFailure) -> HTTPSettings {
    var settings = HTTPSettings()
    if let path = arguments["--cacert"] {
      settings.certificateAuthority = try authorities(path, "--cacert")
    } else if let path = Environment.value("PASSKEY_CACERT") {
      settings.certificateAuthority = try authorities(path, "PASSKEY_CACERT")
    }
    for text in arguments.all("--resolve") { settings.resolve.append(try resolve(text)) }
    for text in arguments.all("--connect-to") { settings.connectTo.append(try connectTo(text, "--connect-to")) }
    if let text = Environment.value("PASSKEY_CONNECT_TO") {
      settings.connectTo.append(try connectTo(text, "PASSKEY_CONNECT_TO"))
    }
    settings.proxy = try arguments["--proxy"].map(proxy)
    if let seconds = try seconds("--connect-timeout", arguments) { settings.connectTimeout = seconds }
    if let seconds = try seconds("--max-time", arguments) { settings.totalTimeout = seconds }
    return settings
  }

  /// Reads a number of seconds, with an optional fraction.
  private static func seconds(_ name: String, _ arguments: ParsedArguments) throws(CommandFailure) -> Duration? {
    guard let text = arguments[name] else { return nil }
    // A day  [longer than any useful time-out]
    guard let number = Double(text), number >= 0.001, number <= 86_400 else {
      throw .usage("\(name) cannot be \(text.quotedForTerminal)", hint: "use a number of seconds, such as 5 or 0.5")
    }
    return .milliseconds(Int64(number * 1000))
  }

  // 8 MiB  [the system's own file has 200 KiB]
  private static let maximumAuthoritiesByteCount = 8 << 20

  private static func authorities(_ path: String, _ name: String) throws(CommandFailure) -> String {
    let text: [UInt8]
    do throws(CommandFailure) {
      text = try InputFile.bytes(path, limit: maximumAuthoritiesByteCount)
    } catch {
      throw .usage("\(name): \(error.message)", hint: "use a file of certificates in PEM, such as ca.pem")
    }
    let isPEM = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains { (label) in
      text.firstRange(of: Array("-----BEGIN \(label)-----".utf8)) != nil
    }
    guard isPEM else {
      throw .usage(
        "\(name) cannot be \(path.quotedForTerminal): there is no certificate in it",
        hint: "use a file of certificates in PEM, which begin with -----BEGIN CERTIFICATE-----")
    }
    return path
  }

  /// Validates `HOST:PORT:ADDRESS[,ADDRESS…]`, with an optional leading `+` for an entry that may expire.
  private static func resolve(_ text: String) throws(CommandFailure) -> String {
    let parts = text.first == "+" ? parts(of: String(text.dropFirst()), 3) : parts(of: text, 3)
    let isRight =
      parts.map { (parts) in
        (isHost(parts[0]) || parts[0] == "*") && isPort(parts[1])
          && parts[2].split(separator: ",", omittingEmptySubsequences: false).allSatisfy { isAddress(String($0)) }
      } ?? false
    guard isRight else {
      throw .usage(
        "--resolve cannot be \(text.quotedForTerminal)",
        hint: "use HOST:PORT:ADDRESS with a numeric address, such as raxx.app:443:127.0.0.1")
    }
    return text
  }

  /// Validates `HOST1:PORT1:HOST2:PORT2`. An empty part matches any value or keeps the original one.
  private static func connectTo(_ text: String, _ name: String) throws(CommandFailure) -> String {
    let parts = parts(of: text, 4)
    let isRight =
      parts.map { (parts) in
        [parts[0], parts[2]].allSatisfy { $0.isEmpty || isHost($0) }
          && [parts[1], parts[3]].allSatisfy { $0.isEmpty || isPort($0) }
      } ?? false
    guard isRight else {
      throw .usage(
        "\(name) cannot be \(text.quotedForTerminal)",
        hint: "use HOST1:PORT1:HOST2:PORT2, such as raxx.app:443:127.0.0.1:8443")
    }
    return text
  }

  /// Validates `[SCHEME://][USER:PASSWORD@]HOST[:PORT][/]`. An empty text disables the proxy.
  private static func proxy(_ text: String) throws(CommandFailure) -> String {
    guard !text.isEmpty else { return text }
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    var rest = text[...]
    var isRight = true
    if let sign = text.firstRange(of: "://") {
      isRight = schemes.contains(text[..<sign.lowerBound].lowercased())
      rest = text[sign.upperBound...]
    }
    if let sign = rest.lastIndex(of: "@") { rest = rest[rest.index(after: sign)...] }
    if rest.last == "/" { rest = rest.dropLast() }
    let place = parts(of: String(rest), 2)
    isRight = isRight && (isHost(String(rest)) || place.map { isHost($0[0]) && isPort($0[1]) } ?? false)
    guard isRight else {
      // The text before the host may contain a password.
      let shown = text.contains("@") ? "…@\(rest)" : text
      throw .usage(
        "--proxy cannot be \(shown.quotedForTerminal)",
        hint:
          "use SCHEME://HOST:PORT, such as http://proxy.example:3128; schemes are \(schemes.joined(separator: ", "))")
    }
    return text
  }

  /// Splits at colons outside brackets. Returns nil if the number of parts differs. With three parts, the last one may
  /// contain colons, because it is an address.
  private static func parts(of text: String, _ count: Int) -> [String]? {
    var parts = [""]
    var isInBrackets = false
    for character in text {
      if character == "[" { isInBrackets = true }
      if character == "]" { isInBrackets = false }
      let isBetween = character == ":" && !isInBrackets && !(count == 3 && parts.count == count)
      if isBetween { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts.count == count ? parts : nil
  }

  private static func isPort(_ text: String) -> Bool {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } && UInt16(text).map { $0 > 0 } ?? false
  }

  /// Whether the text is a host name or an address. An IPv6 address must be in brackets.
  private static func isHost(_ text: String) -> Bool {
    if text.hasPrefix("["), text.hasSuffix("]") { return isAddress(text) }
    return !text.isEmpty && text.utf8.count <= 253
      && text.utf8.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), 0x80...:
          true
        default: false
        }
      }
  }

  /// Whether the text is a numeric address. Brackets around an IPv6 address are optional.
  private static func isAddress(_ text: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    let inner = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    if inner == text, unsafe inet_pton(AF_INET, text, &four) == 1 { return true }
    return unsafe inet_pton(AF_INET6, inner, &six) == 1
  }
}
