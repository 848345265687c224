// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles

extension Endpoints {
  /// Checks where a request that changes something and is authenticated by a cookie comes from, because browsers attach
  /// cookies to requests of any site.
  ///
  /// - A browser says so in `Sec-Fetch-Site`: `same-origin` and `none` (the user's own navigation) pass; `same-site` and
  ///   `cross-site` only from an allowed `Origin`.
  /// - An older browser sends `Origin`, which must be allowed.
  /// - A request with neither does not come from a page of a browser.
  func requireAllowedOrigin(_ call: Call) throws(EndpointError) {
    let headers = call.request.headers
    guard !call.request.method.isSafe, call.delivery == .cookie || carriesCookie(call.request) else { return }
    try requireOrigin(of: headers, in: origins)
  }

  /// Throws if the header fields are those of a page of another origin than `allowed`.
  func requireOrigin(of headers: EndpointHeaders, in allowed: Set<String>) throws(EndpointError) {
    let origins = headers.values("origin")
    let sites = headers.values("sec-fetch-site")
    if sites == ["same-origin"] || sites == ["none"] { return }
    if sites.isEmpty, origins.isEmpty { return }
    guard origins.count == 1, allowed.contains(origins[0]) else { throw EndpointError(.originRefused) }
  }
}
