// SPDX-License-Identifier: Apache-2.0

/// One hop of a forwarding header: the peer that a proxy received the request from.
struct ForwardedHop: Equatable {
  /// The address of the peer; nil if the proxy obfuscated it or if it is malformed.
  var address: IPAddress?

  /// Whether the peer used TLS; nil if the header does not say.
  var isEncrypted: Bool?

  // The last 32  [a client can send a list as long as the header limit; real proxy chains are shorter]
  private static let maximumCount = 32

  /// Parses the hops of `Forwarded` (RFC 7239), the nearest one last.
  static func read(_ headers: EndpointHeaders) -> [ForwardedHop] {
    last(headers.values("forwarded").flatMap { QuotedList.split($0, at: ",") }).map { (element) in
      var hop = ForwardedHop()
      for pair in QuotedList.split(element, at: ";") {
        guard let equals = pair.firstIndex(of: "=") else { continue }
        let value = QuotedList.unquoted(pair[pair.index(after: equals)...])
        switch pair[..<equals].lowercased() {
        case "for": hop.address = address(value)
        case "proto": hop.isEncrypted = isEncrypted(value)
        default: break
        }
      }
      return hop
    }
  }

  /// Parses the hops of `X-Forwarded-For`. The last hop takes the last value of `X-Forwarded-Proto`.
  static func readXForwarded(_ headers: EndpointHeaders) -> [ForwardedHop] {
    let addresses = headers.values("x-forwarded-for").flatMap { QuotedList.splitIgnoringQuotes($0, at: ",") }
    let schemes = headers.values("x-forwarded-proto").flatMap { QuotedList.splitIgnoringQuotes($0, at: ",") }
    var hops = last(addresses).map { ForwardedHop(address: address($0)) }
    if let scheme = schemes.last {
      if hops.isEmpty { hops.append(ForwardedHop()) }
      hops[hops.count - 1].isEncrypted = isEncrypted(scheme)
    }
    return hops
  }

  private static func last(_ elements: [String]) -> ArraySlice<String> {
    elements.suffix(maximumCount)
  }

  private static func isEncrypted(_ scheme: String) -> Bool? {
    switch scheme.lowercased() {
    case "https": true
    case "http": false
    default: nil
    }
  }

  /// Parses `192.0.2.1`, `192.0.2.1:443`, `[2001:db8::1]`, `[2001:db8::1]:443` or `2001:db8::1`.
  private static func address(_ text: String) -> IPAddress? {
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
      let address = IPAddress(text[text.index(after: text.startIndex)..<end])
      return address
    }
    guard let colon = text.firstIndex(of: ":"), text[colon...].dropFirst().firstIndex(of: ":") == nil else {
      return IPAddress(text)
    }
    return isPort(text[colon...]) ? IPAddress(text[..<colon]) : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && 2...6 ~= text.utf8.count && text.utf8.dropFirst().allSatisfy { 48...57 ~= $0 }
  }
}
