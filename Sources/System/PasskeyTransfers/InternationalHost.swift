// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl

/// Conversion of internationalized host names to their ASCII form (`xn--`), in which they are compared (URL Standard,
/// host parsing).
package enum InternationalHost {
  /// Returns scheme, host and port of a URL, with the host in ASCII, or nil if the URL cannot be converted.
  package static func origin(ofURL url: String) -> String? {
    guard let handle = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(handle) }
    guard unsafe curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
      let scheme = unsafe part({ (text) in unsafe curl_url_get(handle, CURLUPART_SCHEME, text, 0) }),
      let host = unsafe part({ (text) in unsafe passkey_curl_get_ascii_host(handle, text) })
    else { return nil }
    let port = unsafe part { (text) in unsafe curl_url_get(handle, CURLUPART_PORT, text, 0) }
    return "\(scheme)://\(host.lowercased())" + (port.map { (port) in ":\(port)" } ?? "")
  }

  /// Copies and frees a string that libcurl allocated.
  private static func part(
    _ get: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CURLUcode
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe get(&text) == CURLUE_OK, let found = unsafe text else { return nil }
    defer { unsafe curl_free(found) }
    return unsafe String(cString: found)
  }
}
