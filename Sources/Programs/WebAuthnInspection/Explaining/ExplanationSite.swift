// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The page that explains artifacts, for an HTTP server on the machine of its user.
///
/// The server must ensure that only clients of this machine reach it, and that requests name this machine in `Host`. Then a
/// page whose domain resolves to this machine (DNS rebinding) has no access. ``respond(to:at:)`` refuses what pages of other
/// origins send.
///
/// Responses are pure functions of the request: nothing is stored, read from disk or sent. A response to a long artifact takes
/// up to some hundred milliseconds and 400 MB, so the server should make one at a time.
package struct ExplanationSite: Sendable {
  /// The path of the page, such as `/debug`.
  package let path: String

  /// A request.
  package struct Request: Sendable {
    package var method: String
    package var path: String
    /// The fields `Host`, `Origin` and `Sec-Fetch-Site`; nil without them.
    package var host: String?
    package var origin: String?
    package var fetchSite: String?
    package var body: Bytes

    package init(
      method: String, path: String, host: String?, origin: String? = nil, fetchSite: String? = nil, body: Bytes = []
    ) {
      self.method = method
      self.path = path
      self.host = host
      self.origin = origin
      self.fetchSite = fetchSite
      self.body = body
    }
  }

  /// A response.
  package struct Response: Sendable {
    package let status: Int
    package let type: String
    package let body: [UInt8]

    fileprivate init(_ type: String, _ body: [UInt8]) {
      self.status = 200
      self.type = type
      self.body = body
    }

    /// A refusal.
    package init(_ status: Int, _ reason: String) {
      self.status = status
      type = "text/plain; charset=utf-8"
      body = [UInt8]("\(reason)\n".utf8)
    }
  }

  /// The header fields of each response. The page may load its own style sheets and icon and submit its form, nothing else.
  package static let headers = [
    (
      "content-security-policy",
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
    // With no-referrer, browsers would not send the origin with the form.
    ("referrer-policy", "same-origin"), ("x-content-type-options", "nosniff"), ("cache-control", "no-store"),
    (
      "permissions-policy",
      "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(), "
        + "publickey-credentials-get=(), usb=()"
    ),
  ]

  package init(path: String) {
    self.path = path
  }

  /// The paths of the files that the page loads.
  package var filePaths: [String] { Self.files.map { (file) in path + file.name } }

  private static let files: [(name: String, type: String, bytes: [UInt8])] = [
    ("/theme.css", "text/css; charset=utf-8", PackageResources.theme_css),
    ("/style.css", "text/css; charset=utf-8", PackageResources.style_css),
    ("/icon.svg", "image/svg+xml", PackageResources.icon_svg),
  ]

  /// Answers a request of a client of this machine.
  package func respond(to request: Request, at time: UnixTime) -> Response {
    guard isFromOwnPage(request) else { return Response(403, "sent by another page") }
    if let file = Self.files.first(where: { path + $0.name == request.path }) {
      guard request.method == "GET" else { return Response(405, "method not allowed") }
      return Response(file.type, file.bytes)
    }
    guard request.path == path else { return Response(404, "not found") }
    let page = ExplanationPage(path: path)
    switch request.method {
    case "GET": return Self.html(page.html(ExplanationForm(), nil))
    case "POST":
      guard let form = ExplanationForm(request.body) else { return Response(400, "malformed form") }
      return Self.html(page.html(form, form[.artifact].isEmpty ? nil : Explanation(form, at: time)))
    default: return Response(405, "method not allowed")
    }
  }

  /// Whether a request is not one that a page of another origin made the browser send.
  private func isFromOwnPage(_ request: Request) -> Bool {
    if let site = request.fetchSite, site != "same-origin", site != "none" { return false }
    guard request.method != "GET" else { return true }
    // Browsers send the origin with every form.
    guard let host = request.host, let origin = request.origin else { return false }
    return ["http://\(host)", "https://\(host)"].contains { $0.utf8.elementsEqual(origin.utf8) }
  }

  private static func html(_ text: String) -> Response { Response("text/html; charset=utf-8", [UInt8](text.utf8)) }
}
