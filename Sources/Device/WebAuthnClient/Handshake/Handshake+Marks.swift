// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyProfiles

// A mark is sent in a header field, or as a cookie beside the session's.

extension Handshake {
  /// Adds the user's mark to a ceremony request, if the store has one.
  func addMark(of user: String?, to request: inout ServerRequest) {
    guard let mark = marks.mark(at: http.server, profile: profile.name, user: user) else { return }
    switch profile.presentation {
    case .bearer:
      guard Self.isMark(mark.content) else { return }
      request.headers.append(HeaderField(profile.headers.client, mark.content.exposedText))
    case .cookie(let name):
      guard let cookies = request.cookies, !cookies.contains(Self.markCookie(of: name)) else { return }
      request.cookies = CookieJar(lines: cookies.lines + [mark.content.exposedText]) ?? cookies
    case .nothing: break
    }
  }

  /// Stores the mark in a reply that opens a session, if it has one.
  func storeMark(in reply: ServerReply, _ values: ShapeValues, for user: String?) {
    let content: SecretBytes?
    switch profile.presentation {
    case .bearer: content = values.secret(.sessionClientToken).flatMap { Self.isMark($0) ? $0 : nil }
    case .cookie(let name):
      content = reply.cookies.line(of: Self.markCookie(of: name)).map { SecretBytes(utf8: $0) }
    case .nothing: content = nil
    }
    guard let content else { return }
    marks.keep(ClientMark(server: http.server, profile: profile.name, user: user, content: content))
  }

  private static func markCookie(of name: String) -> String { "\(name).client" }

  // 2 KiB [our server's mark of four accounts has 307 bytes; servers refuse a much longer header field]
  private static let maximumMarkByteCount = 2_048

  private static func isMark(_ secret: SecretBytes) -> Bool {
    isToken(secret) && secret.withBytes { $0.count <= maximumMarkByteCount }
  }
}
