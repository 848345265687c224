// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto

/// A request that libcurl sends: the URL, the connection, the limits and the content.
///
/// Certificate and host name are always verified. libcurl reads neither `.netrc` nor other files of the user.
package struct TransferRequest: Sendable {
  package enum Content: Sendable {
    case http(HTTPContent)
    case mail(MailContent)
  }

  /// The complete URL.
  package var url: String

  package var content: Content

  /// The only scheme that the URL may have.
  package var scheme: String

  /// A PEM file with trusted certificate authorities, which replaces the system's.
  package var certificateAuthority: String?

  /// Addresses to use for host names, in curl's format.
  package var resolve: [String] = []

  /// Hosts to connect to instead of others, in curl's format.
  package var connectTo: [String] = []

  /// The proxy in curl's format. Nil uses the proxy of the environment. An empty string uses no proxy.
  package var proxy: String? = ""

  package var connectTimeout: Duration
  package var totalTimeout: Duration

  package var maximumBodyByteCount: Int
  package var maximumHeaderByteCount: Int

  /// Returns whether libcurl may connect to an address. Called for each address after name resolution and before any
  /// packet is sent. Nil allows all addresses.
  package var mayConnect: (@Sendable (PeerAddress) -> Bool)?

  /// Whether connections are kept for later requests of the same queue. libcurl may repeat a request on a new connection
  /// if a kept one turns out to be dead.
  package var reusesConnections = false

  package init(
    _ url: String, scheme: String, _ content: Content, connectTimeout: Duration, totalTimeout: Duration,
    maximumBodyByteCount: Int, maximumHeaderByteCount: Int
  ) {
    self.url = url
    self.scheme = scheme
    self.content = content
    self.connectTimeout = connectTimeout
    self.totalTimeout = totalTimeout
    self.maximumBodyByteCount = maximumBodyByteCount
    self.maximumHeaderByteCount = maximumHeaderByteCount
  }
}

/// An HTTP request for libcurl.
package struct HTTPContent: Sendable {
  package enum Version: Sendable {
    case http1
    /// HTTP/2 if the server offers it in the TLS handshake. Concurrent requests share one connection.
    case http2
  }

  package var method: String
  package var body: [UInt8]

  /// The header fields, each a name and a value without line breaks. A field with an empty value is sent, too.
  package var fields: [HTTPContentField] = []

  /// The media type of the body, or nil to send none.
  package var contentType: String?

  /// The value of the `User-Agent` field.
  package var userAgent: String

  /// The request target, sent byte for byte. Nil sends the URL's path as libcurl normalizes it.
  package var target: String?

  package var version: Version = .http1

  /// Whether libcurl follows redirects. It follows them to HTTPS only.
  package var followsRedirects = false

  /// Whether a redirect that is not followed is a reply. If false, it is a fault.
  package var returnsRedirects = false

  /// The cookies to send, each as a line of a cookie file. Nil sends no cookies and stores none.
  package var cookies: [String]?

  package init(method: String, body: [UInt8] = [], userAgent: String) {
    self.method = method
    self.body = body
    self.userAgent = userAgent
  }

  /// Whether a body is sent, even if it is empty.
  var hasBody: Bool { !["GET", "HEAD", "OPTIONS"].contains(method) }
}

/// A header field of an HTTP message.
package struct HTTPContentField: Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A mail for an SMTP server. The addresses must not contain line breaks or angle brackets.
package struct MailContent: Sendable {
  package var sender: String
  package var recipient: String

  /// The message, with CRLF line ends. libcurl escapes leading dots.
  package var message: [UInt8]

  package var username: String?
  package var password: SecretBytes?

  /// Whether the connection is upgraded with STARTTLS. If so, the transfer fails if the server does not support it.
  package var requiresStartTLS: Bool

  package init(from sender: String, to recipient: String, message: [UInt8], requiresStartTLS: Bool) {
    self.sender = sender
    self.recipient = recipient
    self.message = message
    self.requiresStartTLS = requiresStartTLS
  }
}
