// SPDX-License-Identifier: Apache-2.0

import PasskeyPages
import Passkeys
import Testing

/// The pages as a server sends them.
struct SitePagesTests {
  @Test(arguments: PagesWorld.pagePaths)
  func `a page allows files of its own origin only, and no script or style inside`(_ path: String) async throws {
    let response = try await PagesWorld().get(path)
    #expect(response.status == .ok)
    #expect(response.headers["content-type"] == "text/html; charset=utf-8")
    let policy = try #require(response.headers["content-security-policy"])
    let rules = policy.split(separator: ";").map { $0.drop { $0 == " " } }
    #expect(
      rules == [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'",
        "manifest-src 'self'", "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ])
    let expected = [
      "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "same-origin", "cache-control": "no-cache",
    ]
    for (name, value) in expected { #expect(response.headers[name] == value, "\(name)") }
    let permissions = try #require(response.headers["permissions-policy"])
    #expect(permissions.contains("publickey-credentials-get=(self)") && permissions.contains("camera=()"))
    let markup = String(decoding: response.body, as: UTF8.self)
    for inside in ["<style", " style=", " onclick=", " onload=", "javascript:"] {
      #expect(!markup.contains(inside), "\(inside)")
    }
    // The only script elements name a file.
    #expect(markup.ranges(of: "<script").count == markup.ranges(of: #"<script type="module" src="/pages/"#).count)
  }

  @Test func `origins may embed the sign-in page, and no other page`() async throws {
    let world = try PagesWorld(embeddingOrigins: ["https://one.example", "https://two.example:8443"])
    for path in PagesWorld.pagePaths {
      let policy = try #require(try await world.get(path).headers["content-security-policy"])
      let ancestors = path == "/" ? "https://one.example https://two.example:8443" : "'none'"
      #expect(policy.contains("frame-ancestors \(ancestors);"), "\(path)")
    }
  }

  @Test(arguments: PagesWorld.pagePaths)
  func `every file that a page names exists`(_ path: String) async throws {
    let world = try PagesWorld()
    for language in ["en", "de", "fr", "es"] {
      let markup = try await world.text(path, ["accept-language": language])
      let named = markup.split(separator: "\"").filter { $0.hasPrefix("/pages/") }
      #expect(named.count > 5)
      for file in named {
        #expect(file.contains("/\(language)/"))
        #expect(try await world.get(String(file)).status == .ok, "\(file)")
      }
      #expect(!markup.contains("{{"))
      #expect(markup.contains(#"<html lang="\#(language)""#))
    }
  }

  @Test func `a browser gets a page for an unknown address, and a program an error`() async throws {
    let world = try PagesWorld()
    let browser = ["accept": "text/html,*/*;q=0.8", "accept-language": "de"]
    let missing = try await world.get("/acount", browser)
    #expect(missing.status == .notFound && missing.headers["content-type"] == "text/html; charset=utf-8")
    #expect(missing.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
    let text = String(decoding: missing.body, as: UTF8.self)
    #expect(text.contains("Diese Seite gibt es nicht") && text.contains("/not-found.js"))
    for (path, target) in [("/account/", "/account"), ("/admin/?language=de", "/admin?language=de")] {
      let moved = try await world.get(path, browser)
      #expect(moved.status.rawValue == 308 && moved.headers["location"] == target)
    }
    await #expect(throws: EndpointError.self) { try await world.get("//account/", browser) }
    let error = try await world.get("/acount", ["accept": "application/json"])
    #expect(error.status == .notFound && error.headers["content-type"] == "application/problem+json")
  }

  @Test func `only developers have the page of faults`() async throws {
    let world = try PagesWorld(showsFaults: false)
    #expect(try await world.get("/faults").status == .notFound)
    #expect(!world.filePaths().contains { $0.contains("fault") })
    #expect(try await PagesWorld().get("/faults").status == .ok)
  }

  @Test func `files stay in the cache for a year, under a path that changes with them`() async throws {
    let (world, other) = (try PagesWorld(), try PagesWorld(replacing: ["theme.css": Array(":root{}".utf8)]))
    #expect(world.filePaths().count > 10)
    for path in world.filePaths() {
      let response = try await world.get(path)
      #expect(response.headers["cache-control"] == "public, max-age=31536000, immutable")
      #expect(response.headers["cross-origin-resource-policy"] == "same-origin")
      #expect(try await other.get(path).status == .notFound)
    }
    #expect(try await other.text(other.path("theme.css")) == ":root{}")
  }

  @Test func `a client that has the page gets no second copy`() async throws {
    let world = try PagesWorld()
    let first = try await world.get("/")
    let tag = try #require(first.headers["etag"])
    for known in [tag, "W/\(tag)", "\"other\", \(tag)"] {
      let second = try await world.get("/", ["if-none-match": known])
      #expect(second.status.rawValue == 304 && second.body == [])
      #expect(second.headers["etag"] == tag)
      // The policy of the stored page stays that of the newest response.
      #expect(second.headers["content-security-policy"] == first.headers["content-security-policy"])
    }
    #expect(try await world.get("/", ["if-none-match": "\"other\""]).status == .ok)
    let german = try await world.get("/", ["if-none-match": tag, "accept-language": "de"])
    #expect(german.status == .ok && german.headers["etag"] != tag)
  }

  @Test(arguments: [
    ("gzip", true), ("gzip, br", true), ("br;q=1.0, gzip;q=0.8", true), ("gzip;q=0", false), ("br", false), ("", false),
  ])
  func `a page is compressed for clients that accept it`(accepted: String, isCompressed: Bool) async throws {
    let world = try PagesWorld()
    let response = try await world.get("/", ["accept-encoding": accepted])
    #expect((response.headers["content-encoding"] == "gzip") == isCompressed)
    #expect(response.headers.values("vary").contains { $0.contains("accept-encoding") })
    let plain = try await world.get("/")
    #expect(isCompressed == (response.body.count < plain.body.count))
    #expect(isCompressed == (response.headers["etag"] != plain.headers["etag"]))
  }

  @Test func `all pages together are smaller than 60 KB compressed`() async throws {
    let world = try PagesWorld()
    var total = 0
    for path in PagesWorld.pagePaths + world.filePaths() {
      total += try await world.get(path, ["accept-encoding": "gzip"]).body.count
    }
    #expect(20_000..<60_000 ~= total, "\(total)")
    #expect(total > 0)
  }

  @Test(arguments: [
    ("", "", "en"), ("de-AT,de;q=0.9,en;q=0.8", "", "de"), ("fr-CA, en;q=0.5, de;q=0.7", "", "fr"),
    ("pt, es;q=0.7", "", "es"),
    ("de;q=0, en", "", "en"),
    ("pt", "", "en"), ("de", "page-language=en", "en"), ("en", "__Host-page-language=de", "de"),
    ("en", "page-language=xx", "en"),
  ])
  func `the language is the user's choice, or the browser's`(
    accepted: String, cookie: String, expected: String
  ) async throws {
    let fields = ["accept-language": accepted, "cookie": cookie]
    // Without TLS the cookie has no prefix.
    let isEncrypted = cookie.hasPrefix("__Host-")
    let response = try await PagesWorld().get("/", fields, isEncrypted: isEncrypted)
    #expect(String(decoding: response.body, as: UTF8.self).contains(#"<html lang="\#(expected)""#))
    #expect(response.headers.values("vary").contains { $0.contains("accept-language") && $0.contains("cookie") })
  }

  @Test func `a chosen language is remembered`() async throws {
    let response = try await PagesWorld().get("/account?language=de", ["accept-language": "en"])
    #expect(String(decoding: response.body, as: UTF8.self).contains(#"<html lang="de""#))
    let cookie = try #require(response.headers["set-cookie"])
    #expect(cookie.hasPrefix("__Host-page-language=de;") && cookie.contains("Max-Age=31536000"))
    #expect(try await PagesWorld().get("/account?language=xx").headers["set-cookie"] == nil)
  }

  @Test func `pages have the operator's links, the colors of the theme, icons and a manifest`() async throws {
    let links = PageLinks(privacy: "https://raxx.app/privacy?a=1&b=2", help: "/help")
    let world = try PagesWorld(replacing: ["theme.css": Array(":root{--page:#123456}".utf8)], links: links)
    for path in PagesWorld.pagePaths {
      let markup = try await world.text(path, ["accept-language": "fr"])
      #expect(
        markup.contains(#"<a href="https://raxx.app/privacy?a=1&amp;b=2">Confidentialité</a> <a href="/help">Aide</a>"#)
      )
      #expect(!markup.contains("Mentions légales"))
      #expect(markup.contains(##"<meta name="theme-color" content="#123456" media="(prefers-color-scheme: light)">"##))
      #expect(markup.contains("/fr/touch-icon.png"))
      // A first visit does not load it.
      #expect(markup.contains("/fr/manifest.webmanifest") == (path != "/"))
    }
    #expect(try await PagesWorld().text("/").contains(##"content="#0e1219" media="(prefers-color-scheme: dark)">"##))
    #expect(try await !PagesWorld().text("/").contains("More about this site"))
    let manifest = try await world.get(world.path("manifest.webmanifest"))
    #expect(manifest.headers["content-type"] == "application/manifest+json")
    let text = String(decoding: manifest.body, as: UTF8.self)
    #expect(text.contains(#""name":"Raxx""#) && text.contains(##""theme_color":"#123456""##))
  }

  @Test func `the name of the service is text`() async throws {
    let world = try PagesWorld(name: #"<img src=x onerror=alert(1)> "&' </script>"#)
    let markup = try await world.text("/")
    #expect(!markup.contains("<img src=x") && markup.contains("&lt;img src=x onerror=alert(1)&gt; &quot;&amp;&#39;"))
    let script = try await world.text(world.path("site.js"))
    #expect(script.contains(#"export const site = "<img src=x onerror=alert(1)>"#))
  }

  @Test(arguments: [ServiceProfile.raxx, .yapt, .aiday])
  func `the script of the site has the endpoints of users, and another file those of administrators`(
    _ profile: ServiceProfile
  ) async throws {
    let world = try PagesWorld(profile)
    let (site, administration) = (
      try await world.text(world.path("site.js")), try await world.text(world.path("administration.js"))
    )
    #expect(site.contains(#""sign-in-options""#) && !site.contains(#""approve-user""#))
    #expect(administration.contains(#""users""#) == (profile[.users] != nil))
    #expect(administration.contains(#""health""#) == (profile[.health] != nil))
  }
}
