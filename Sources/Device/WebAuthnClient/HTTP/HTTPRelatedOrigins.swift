// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTransfers
package import WebAuthnBrowser
package import WebAuthnTypes

/// Fetches the related origins document from the host of the RP ID (WebAuthn §5.11.1, step 2).
///
/// Each fetch uses its own session, without cookies or a token. Redirects are followed, but only to HTTPS.
package struct HTTPRelatedOrigins: RelatedOriginsSource {
  private let settings: HTTPSettings

  /// Uses these settings, except for the maximum size of the document.
  package init(settings: HTTPSettings = HTTPSettings()) {
    var settings = settings
    settings.maximumReplyByteCount = Self.maximumByteCount
    self.settings = settings
  }

  /// Returns the document of a relying party. Throws if the document is unavailable or malformed.
  package func document(of relyingParty: RelyingPartyID) async throws(ClientError) -> RelatedOrigins {
    let session = HTTPSession(server: try ServerAddress("https://\(relyingParty.text)"), settings: settings)
    var request = ServerRequest("GET", RelatedOrigins.path)
    request.cookies = CookieJar()
    request.followsRedirects = true
    let reply: ServerReply
    do throws(ClientError) {
      reply = try await session.send(request)
    } catch {
      await session.close()
      throw error
    }
    await session.close()
    guard reply.status == 200 else {
      throw ClientError(.relatedOriginsUnavailable, "\(relyingParty.text) answered with \(reply.status)")
    }
    guard reply.mediaType == "application/json" else {
      throw ClientError(.relatedOriginsUnavailable, "\(relyingParty.text) sent a response that is not JSON")
    }
    return try mapError(RelatedOrigins(json: Self.comparable(reply.body))) { (error: FormatError) in
      ClientError(.relatedOriginsUnavailable, "\(error)")
    }
  }

  /// Returns the document with internationalized hosts in the ASCII form in which they are compared. Anything else is
  /// left unchanged.
  private static func comparable(_ document: [UInt8]) -> [UInt8] {
    guard let object = try? JSON.parse(JSON.withoutByteOrderMark(document)),
      let texts = try? [JSONValue](object.require("origins").array).map({ (item) in try item.string }),
      !texts.allSatisfy(isASCII)
    else { return document }
    return JSON.writeObject { (object: inout JSONObjectWriter) in
      object.writeArray("origins") { (list: inout JSONArrayWriter) in
        for text in texts { list.write(.string(isASCII(text) ? text : InternationalHost.origin(ofURL: text) ?? text)) }
      }
    }
  }

  private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { (byte) in byte < 0x80 } }

  // 64 KiB [the largest documents in use have some kilobytes]
  private static let maximumByteCount = 1 << 16
}
