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
}
