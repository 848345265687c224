// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnTypes

extension SiteAccess {
  /// A place to which a sign-in may lead back: the pages of an origin at a path and below it.
  ///
  /// Origins and whole path segments must match exactly; there are no patterns.
  public struct ReturnTarget: Hashable, Sendable {
    /// The origin, such as `https://garden.example`.
    public let origin: String

    /// The path without a slash at its end: `/members` for `/members` and all paths that begin with `/members/`; empty
    /// for every path.
    public let path: String

    /// Creates a target from an origin and a path, such as `/members/`.
    ///
    /// - Throws: `http.target-malformed` if the path is malformed or has a query.
    public init(_ origin: WebOrigin, path: String = "/") throws(EndpointError) {
      let target = try RequestTarget(path.utf8)
      guard path.hasPrefix("/"), target.query == nil else { throw EndpointError(.targetMalformed) }
      self.origin = origin.text
      self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Returns whether the target has a page.
    func contains(_ page: RequestTarget, of origin: WebOrigin) -> Bool {
      self.origin.utf8.elementsEqual(origin.text.utf8)
        && (path.isEmpty || page.path == path || page.path.hasPrefix("\(path)/"))
    }
  }
}

extension EndpointHeaders {
  /// The page that a client asked a proxy for, by the proxy's header fields `X-Forwarded-Proto`, `X-Forwarded-Host` and
  /// `X-Forwarded-Uri`; nil if one of them is missing, repeated or malformed.
  var forwardedPage: (origin: WebOrigin, target: RequestTarget)? {
    guard let scheme = only("x-forwarded-proto"), let host = only("x-forwarded-host"),
      let path = only("x-forwarded-uri"), path.hasPrefix("/"),
      let origin = try? WebOrigin("\(scheme.lowercased())://\(host.lowercased())"),
      let target = try? RequestTarget(path.utf8)
    else { return nil }
    return (origin, target)
  }

  /// The method with which a client asked a proxy, by the proxy's `X-Forwarded-Method`; `GET` if it is missing.
  var forwardedMethod: EndpointMethod { EndpointMethod(rawValue: self["x-forwarded-method"] ?? "GET") }

  /// Whether a proxy asks for a page that a person opened, which can be sent to the sign-in: not a request of a script, which
  /// could not follow.
  var forwardsNavigation: Bool {
    guard [.get, .head].contains(forwardedMethod) else { return false }
    if let mode = self["sec-fetch-mode"] { return mode == "navigate" }
    return self["accept"]?.contains("text/html") == true
  }

  /// The value of a field that occurs once.
  func only(_ name: String) -> String? {
    let values = values(name)
    return values.count == 1 ? values[0] : nil
  }
}
