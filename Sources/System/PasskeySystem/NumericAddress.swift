// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A network address in numbers, as text.
package enum NumericAddress {
  /// Returns whether the text is an IPv4 address, such as `127.0.0.1`.
  package static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return unsafe inet_pton(AF_INET, text, &address) == 1
  }

  /// Returns whether the text is an IPv6 address without brackets, such as `::1`.
  package static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    return unsafe inet_pton(AF_INET6, text, &address) == 1
  }

  /// Returns the four or sixteen bytes of an address in network byte order, or nil for other text.
  package static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return unsafe inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  /// Returns the text of an address of four or sixteen bytes in network byte order, or nil for another number of bytes.
  package static func text(of bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { (byte) in byte != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
