// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

@Suite(.enabled(if: TestCertificates.canBeMade, "the command line of OpenSSL is not here"))
struct HTTPRelatedOriginsTests {
  /// Returns the response of a document's host by path.
  private static func answer(_ path: String) -> EndpointResponse {
    func json(_ text: String, _ type: String = "application/json") -> EndpointResponse {
      EndpointResponse(.ok, contentType: type, body: Array(text.utf8))
    }
    func redirect(_ location: String) -> EndpointResponse {
      var response = EndpointResponse(EndpointStatus(rawValue: 302))
      response.headers.set("location", location)
      response.headers.set("set-cookie", "a=b; Path=/")
      return response
    }
    switch path {
    case "/good": return json(#"{"origins":["https://raxx.example"]}"#)
    case "/unicode": return json(#"{"origins":["https://raxx.example/","https://B\u00fccher.example:8443/x"]}"#)
    case "/html": return json("{\"origins\":[]}", "text/html")
    case "/malformed": return json("[]")
    case "/large": return json(#"{"origins":[],"x":""# + String(repeating: "x", count: 70_000) + "\"}")
    case "/loop": return redirect("https://raxx.app/loop")
    case "/plain": return redirect("http://raxx.app/good")
    default: return redirect("https://raxx.app/good")
    }
  }

  @Test(arguments: [
    ("/good", nil), ("/moved", nil), ("/unicode", nil), ("/html", ClientError.Code.relatedOriginsUnavailable),
    ("/malformed", .relatedOriginsUnavailable), ("/large", .replyTooLarge), ("/loop", .redirected),
    ("/plain", .redirected),
  ])
  func `The document must be small JSON over HTTPS with few redirects`(
    _ path: String, _ code: ClientError.Code?
  ) async throws {
    let folder = try await TestCertificates.folder()
    let tls = TLSFiles(certificatePath: "\(folder.path)/good.crt", keyPath: "\(folder.path)/good.key")
    let server = try HTTPServer(HTTPServerConfiguration(tls: tls)) { (request) in
      guard request.headers.values("cookie").isEmpty else { return EndpointResponse(.forbidden) }
      return Self.answer(request.target.path == RelatedOrigins.path ? path : request.target.path)
    }
    var settings = HTTPSettings()
    settings.certificateAuthority = "\(folder.path)/authority.crt"
    settings.connectTo = ["raxx.app:443:127.0.0.1:\(server.port)"]
    let source = HTTPRelatedOrigins(settings: settings)
    let found: Result<RelatedOrigins, ClientError>
    do throws(ClientError) {
      found = .success(try await source.document(of: RelyingPartyID.raxx))
    } catch {
      found = .failure(error)
    }
    await server.stop(within: .seconds(2))
    switch found {
    case .success(let document):
      #expect(code == nil)
      let other = path == "/unicode" ? ["https://xn--bcher-kva.example:8443"] : []
      #expect(document.origins.map(\.text) == ["https://raxx.example"] + other)
    case .failure(let error): #expect(error.code == code, "\(error)")
    }
  }
}

extension RelyingPartyID {
  /// The RP ID of the tests.
  fileprivate static var raxx: RelyingPartyID {
    get throws(ClientError) {
      do { return try RelyingPartyID("raxx.app") } catch { throw ClientError(.addressInvalid) }
    }
  }
}
