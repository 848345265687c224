// SPDX-License-Identifier: Apache-2.0

/// What one proxy wrote of the one that it had the request from.
struct ForwardedHop: Equatable {
  /// Its address; nil where it is hidden or cannot be read.
  var address: IPAddress?

  /// Whether it came by TLS; nil where nothing was said.
  var isEncrypted: Bool?

  // The last 32  [a client can send a list as long as a header may be; nobody has more proxies in a row]
  private static let maximumCount = 32

  /// The hops of `Forwarded` (RFC 7239), the nearest last.
  static func read(_ headers: HTTPHeaders) -> [ForwardedHop] {
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

  /// The hops of `X-Forwarded-For`, of which the last has what `X-Forwarded-Proto` ends with.
  static func readXForwarded(_ headers: HTTPHeaders) -> [ForwardedHop] {
    let addresses = headers.values("x-forwarded-for").flatMap { QuotedList.plainly($0, at: ",") }
    let schemes = headers.values("x-forwarded-proto").flatMap { QuotedList.plainly($0, at: ",") }
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

  /// `192.0.2.1`, `192.0.2.1:443`, `[2001:db8::1]`, `[2001:db8::1]:443` or `2001:db8::1`.
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
