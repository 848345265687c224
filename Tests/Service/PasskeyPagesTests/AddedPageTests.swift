// SPDX-License-Identifier: Apache-2.0

import PasskeyPages
import Passkeys
import Testing

/// Pages of a server's own in the frame of the service's pages.
struct AddedPageTests {
  private static func page(
    _ content: String = "<h1>{{stock}}</h1><p>{{greeting}}</p>", texts: String? = nil
  ) -> AddedPage {
    let english = #"{"page": {"stock": "Stock & more"}, "text": {"greeting": "Hello"}}"#
    let german = #"{"page": {"stock": "Lager"}}"#
    return AddedPage(
      path: "/stock", content: Array(content.utf8), script: Array("export const own = 1;".utf8),
      style: Array("p{}".utf8), texts: ["en": Array((texts ?? english).utf8), "de": Array(german.utf8)])
  }

  @Test func `an added page has the frame, its own texts, and the headers of all pages`() async throws {
    let world = try PagesWorld(adding: [Self.page()])
    let response = try await world.get("/stock")
    #expect(response.headers["content-security-policy"]?.contains("require-trusted-types-for 'script'") == true)
    let english = String(decoding: response.body, as: UTF8.self)
    #expect(english.contains("<title>Stock &amp; more · Raxx</title>") && english.contains(#"<body class="stock">"#))
    #expect(english.contains("<h1>Stock &amp; more</h1><p>Hello</p>") && english.contains("/en/stock.js"))
    let german = try await world.text("/stock", ["accept-language": "de"])
    // A text that the language lacks is in English.
    #expect(german.contains("<h1>Lager</h1><p>Hello</p>"))
  }

  @Test func `the files of an added page are those of the server, and change the path of all files`() async throws {
    let (world, other) = (try PagesWorld(adding: [Self.page()]), try PagesWorld())
    #expect(try await world.text(world.path("stock.js")) == "export const own = 1;")
    #expect(try await world.get(world.path("stock.css")).headers["content-type"] == "text/css; charset=utf-8")
    #expect(try await world.text(world.path("site.js")).contains(#""greeting":"Hello""#))
    #expect(world.path("ui.js") != other.path("ui.js"))
  }

  @Test func `every page has a link to an added page, and a sign-in leads there first`() async throws {
    let world = try PagesWorld(adding: [Self.page()])
    for path in PagesWorld.pagePaths {
      #expect(try await world.text(path).contains(#"<a href="/stock">Stock &amp; more</a>"#), "\(path)")
    }
    let script = try await world.text(world.path("site.js"))
    #expect(script.contains(#"export const destinations = ["/stock","/account","/admin","/confirm"];"#))
    let (without, plain) = (try PagesWorld(), #"export const destinations = ["/account","/admin","/confirm"];"#)
    #expect(try await without.text(without.path("site.js")).contains(plain))
    #expect(try await !without.text("/account").contains("/stock"))
  }

  @Test func `a text of a folder replaces that of an added page`() async throws {
    let own = #"{"text": {"greeting": "Welcome"}}"#
    let world = try PagesWorld(replacing: ["strings.en.json": Array(own.utf8)], adding: [Self.page()])
    #expect(try await world.text("/stock").contains("<p>Welcome</p>"))
  }

  @Test(arguments: [
    ("{{nothing}}", nil, PagesError.Code.textMissing), ("{{stock", nil, .pageMalformed), ("", "[]", .textsMalformed),
  ])
  func `an added page with an invalid part is refused`(content: String, texts: String?, code: PagesError.Code) throws {
    let error = #expect(throws: PagesError.self) { try PagesWorld(adding: [Self.page(content, texts: texts)]) }
    #expect(error?.code == code)
  }
}
