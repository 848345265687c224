// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyTransfers

extension TransferRequest {
  /// Converts a checked request. `jar` has the cookies for a request without its own.
  package init(_ request: ServerRequest, to server: ServerAddress, _ settings: HTTPSettings, _ jar: CookieJar) {
    var content = HTTPContent(method: request.method, body: request.body, userAgent: settings.userAgent)
    content.contentType = request.contentType
    content.fields = request.headers.map { HTTPContentField($0.name, $0.value) }
    if let bearer = request.bearer {
      let token = String(decoding: bearer.exposedBytes, as: UTF8.self)
      content.fields.append(HTTPContentField("authorization", request.tokenPrefix + token))
    }
    if request.keepsCookies { content.cookies = (request.cookies ?? jar).lines }
    content.followsRedirects = request.followsRedirects
    content.returnsRedirects = settings.returnsRedirects || request.returnsRedirects
    // The confirmed action contains the exact path, which libcurl would normalize.
    if !request.followsRedirects { content.target = request.path }
    self.init(
      server.text + request.path, scheme: server.isEncrypted ? "https" : "http", .http(content),
      connectTimeout: settings.connectTimeout, totalTimeout: settings.totalTimeout,
      maximumBodyByteCount: request.maximumReplyByteCount(settings),
      maximumHeaderByteCount: settings.maximumHeaderByteCount)
    certificateAuthority = settings.certificateAuthority
    resolve = settings.resolve
    connectTo = settings.connectTo
    // The environment's proxy is not for servers on this machine.
    proxy = settings.proxy ?? (server.isLoopback ? "" : nil)
    // The request must not leave this machine unencrypted.
    if !server.isEncrypted { mayConnect = { (address) in address.isLoopback } }
  }
}
