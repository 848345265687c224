// SPDX-License-Identifier: Apache-2.0

internal import PasskeyTransfers

/// A session that the server opened, with its secrets in memory only.
final class LoadSession {
  let account: LoadAccount
  var token: String?
  var refreshToken: String?
  let cookies: LoadCookies

  /// The number of running operations in the session.
  var useCount = 0

  /// When the server will no longer accept it, in nanoseconds of the monotonic clock.
  var expiry: Int64

  init(_ account: LoadAccount, token: String?, refreshToken: String?, cookies: LoadCookies, expiry: Int64) {
    self.account = account
    self.token = token
    self.refreshToken = refreshToken
    self.cookies = cookies
    self.expiry = expiry
  }
}

/// The cookies of one client of one server. [libcurl's cookie engine would mix those of all clients.]
final class LoadCookies {
  private var values: [String: String] = [:]

  /// The value of the `Cookie` field; nil without cookies.
  var field: String? {
    values.isEmpty ? nil : values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
  }

  /// Returns whether there is a cookie of this name, perhaps with the prefix `__Host-` or `__Secure-`.
  func contains(_ name: String) -> Bool { content(of: name) != nil }

  /// Returns the value of the cookie of this name, perhaps with the prefix `__Host-` or `__Secure-`.
  func content(of name: String) -> String? {
    ["", "__Host-", "__Secure-"].lazy.compactMap { [values] in values[$0 + name] }.first
  }

  /// Stores the cookies of a reply. A cookie that the server expires is deleted.
  func store(_ fields: [HTTPContentField]) {
    for field in fields where field.name == "set-cookie" {
      let parts = field.value.split(separator: ";")
      guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { continue }
      let name = String(pair[..<equals])
      let value = String(pair[pair.index(after: equals)...])
      let isExpired = parts.dropFirst().contains { (part) in
        let text = part.drop { $0 == " " }.lowercased()
        return text == "max-age=0" || text.hasPrefix("max-age=-") || text.hasPrefix("expires=thu, 01 jan 1970")
      }
      // 32 [a server sets a few]
      if isExpired || value.isEmpty { values[name] = nil } else if values.count < 32 { values[name] = value }
    }
  }
}
