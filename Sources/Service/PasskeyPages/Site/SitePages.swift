// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
public import PasskeyHTTP
public import WebAuthnTypes

/// The pages of a service: sign-in at `/`, `/about-passkeys`, `/account`, `/confirm` and `/admin`, in English, German, French and
/// Spanish.
///
/// ```swift
/// let pages = try SitePages(for: endpoints)
/// let router = try EndpointRouter(endpoints.routes + PageScript.routes + pages.routes, errors: endpoints.errors)
/// ```
///
/// They keep the session in a cookie, so the profile must deliver sessions in cookies. All files are prepared once. Those that
/// pages load have a digest in their path and stay in the browser's cache.
public struct SitePages: Sendable {
  /// The routes of the pages and their files.
  public let routes: [EndpointRoute]

  private let notFound: [PageLanguage: StaticFile]
  private let paths: Set<String>

  /// The names of the files that a folder may have, for messages.
  public static let fileNames =
    PageFile.allCases.map(\.rawValue) + ["strings.LANG.json"] + PageAsset.endings.map { "*.\($0)" }

  /// Returns whether the pages use a file with this name.
  public static func uses(_ name: String) -> Bool {
    PageFile(rawValue: name) != nil || PageLanguage(fileName: name) != nil || PageAsset.mediaType(of: name) != nil
  }

  /// The files of this release, by name, to copy and change.
  public static var files: [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for file in PageFile.allCases { files[file.rawValue] = file.embedded }
    for (language, texts) in PageLanguage.embedded { files[language.fileName] = texts }
    return files
  }

  /// Returns the names of the texts that each language of a folder lacks, by file. The pages show them in English.
  ///
  /// - Throws: ``PagesError`` if a file of texts is malformed.
  public static func missingTexts(
    in files: [String: [UInt8]]
  ) throws(PagesError) -> [(file: String, names: [String])] {
    try PageTexts.missing(PageFiles(files))
  }

  /// Prepares the pages.
  ///
  /// - Parameters:
  ///   - endpoints: The endpoints that the pages call, on the same origin.
  ///   - files: Files in place of those of the release, by name: a theme (`theme.css`), texts (`strings.de.json`; texts that
  ///     it lacks remain, and one in another language adds the language), images and fonts, or any other one of
  ///     ``fileNames``.
  ///   - links: Links to pages of the operator.
  ///   - added: The server's own pages. The menu has a link to each, and a sign-in leads to the first.
  ///   - embeddingOrigins: The origins that may show the sign-in page in an iframe. No origin may embed the other pages.
  ///   - showsFaults: Whether there is also `/faults`, on which developers see what a faulty response of a passkey does.
  /// - Throws: ``PagesError`` if a file is invalid.
  public init(
    for endpoints: Endpoints, replacing files: [String: [UInt8]] = [:], links: PageLinks = PageLinks(),
    adding added: [AddedPage] = [],
    embeddingOrigins: [WebOrigin] = [], showsFaults: Bool = false
  ) throws(PagesError) {
    let (files, facts) = (PageFiles(files), try SiteFacts(endpoints, added))
    let texts = try PageTexts.all(files, added)
    let actions = try Self.actions(files, added, texts)
    let loaded = Self.loadedFiles(files, added, facts, texts, actions, forDevelopment: showsFaults)
    let folder = "/pages/\(Self.version(loaded.map(\.bytes)))"
    let sources = PageSource.all(files, forDevelopment: showsFaults) + PageSource.all(added)
    let unknown = [PageSource.notFound(files)]
    notFound = try Self.markup(unknown, files, texts, facts.values, folder, links, linking: sources)[0].versions
      .mapValues {
        StaticFile("text/html; charset=utf-8", Array($0.utf8), headers: Self.pageHeaders(embeddedBy: []))
      }
    paths = Set(sources.map(\.path))
    let pages = try Self.markup(sources, files, texts, facts.values, folder, links, linking: sources).map { (page) in
      // A frame could lay other content over what a signed-in user confirms, so only the sign-in may be in one.
      let headers = Self.pageHeaders(embeddedBy: page.path == "/" ? embeddingOrigins : [])
      return Self.route(
        page.path, page.versions.mapValues { StaticFile("text/html; charset=utf-8", Array($0.utf8), headers: headers) })
    }
    routes =
      pages
      + loaded.map { (file) in
        Self.route(
          "\(folder)/\(file.language.tag)/\(file.name)",
          StaticFile(file.type, file.bytes, headers: Self.fileHeaders(file.type)))
      }
  }

  /// Checks files that are to replace those of the release.
  ///
  /// - Throws: ``PagesError`` if a page or the texts are invalid.
  public static func validate(_ files: [String: [UInt8]]) throws(PagesError) {
    let files = PageFiles(files)
    let sources = PageSource.all(files, forDevelopment: true) + [.notFound(files)]
    let texts = try PageTexts.all(files, [])
    _ = try actions(files, [], texts)
    _ = try markup(sources, files, texts, SiteFacts.sample, "/pages", PageLinks(), linking: [])
  }

  /// Returns the response to a browser that asks for an unknown page: a page that says so, or a redirect if only a slash at the
  /// end is too much. Returns nil for other clients, which get an error of the API.
  public func response(toUnknown request: EndpointRequest) -> EndpointResponse? {
    guard request.method == .get || request.method == .head,
      request.headers["accept"]?.contains("text/html") == true
    else { return nil }
    let path = request.target.path
    if path.hasSuffix("/"), paths.contains(String(path.dropLast())) {
      var response = EndpointResponse(EndpointStatus(rawValue: 308))
      response.headers.set("location", path.dropLast() + (request.target.query.map { "?\($0)" } ?? ""))
      return response
    }
    guard var response = notFound[PageLanguageChoice(of: request, among: notFound.keys).language]?.response(to: request)
    else { return nil }
    response.status = .notFound
    response.headers.set("cache-control", "no-store")
    return response
  }

  // MARK: Files that pages load

  private typealias LoadedFile = (language: PageLanguage, name: String, type: String, bytes: [UInt8])

  private static func loadedFiles(
    _ files: PageFiles, _ added: [AddedPage], _ facts: SiteFacts, _ texts: [PageLanguage: PageTexts],
    _ actions: [PageLanguage: [UInt8]], forDevelopment: Bool
  ) -> [LoadedFile] {
    texts.sorted { $0.key < $1.key }.flatMap { (language, texts) -> [LoadedFile] in
      var loaded = PageFile.allCases.compactMap { (file) -> LoadedFile? in
        guard forDevelopment || file != .faultsScript else { return nil }
        return file.mediaType.map { (language, file.rawValue, $0, files.served(file)) }
      }
      for page in added {
        loaded.append((language, "\(page.name).js", PageFile.script, page.script))
        loaded.append((language, "\(page.name).css", PageFile.styleSheet, page.style))
      }
      if forDevelopment {
        loaded.append((language, "fault-names.js", PageFile.script, SiteFacts.faultsScript(texts)))
      }
      loaded += files.assets.map { (asset) -> LoadedFile in (language, asset.name, asset.type, asset.bytes) }
      return loaded + [
        (
          language, "manifest.webmanifest", "application/manifest+json",
          facts.manifest(language, ThemeColors(files[.theme]))
        ),
        (language, "passkey.js", PageFile.script, CompactScript.compact(PageScript.passkey.text)),
        (language, "site.js", PageFile.script, facts.script(language, texts, actions[language] ?? [])),
        (language, "administration.js", PageFile.script, facts.administrationScript(texts)),
      ]
    }
  }

  private static func actions(
    _ files: PageFiles, _ added: [AddedPage], _ texts: [PageLanguage: PageTexts]
  ) throws(PagesError) -> [PageLanguage: [UInt8]] {
    let actions = PageActions(files, added)
    var written: [PageLanguage: [UInt8]] = [:]
    for (language, texts) in texts { written[language] = try actions.json(texts) }
    return written
  }

  /// Returns the part of a path that changes with any file.
  private static func version(_ files: [[UInt8]]) -> String {
    // 72 bits  [tells releases and themes apart]
    Base64URL.encode(Digest.sha256(files.flatMap { Digest.sha256($0) }).prefix(9))
  }

  private static func route(_ path: String, _ file: StaticFile) -> EndpointRoute {
    EndpointRoute(.get, path) { (request) in file.response(to: request) }
  }

  // MARK: Pages

  private static func markup(
    _ sources: [PageSource], _ files: PageFiles, _ texts: [PageLanguage: PageTexts], _ facts: [String: String],
    _ folder: String, _ footer: PageLinks, linking all: [PageSource]
  ) throws(PagesError) -> [(path: String, versions: [PageLanguage: String])] {
    let frame = try PageTemplate(PageFile.frame.rawValue, files[.frame])
    let colors = ThemeColors(files[.theme])
    let languages = texts.sorted { $0.key < $1.key }.map { (language, texts) in
      let (tag, name) = (language.tag, (texts.languageName ?? language.tag).escapedForHTML)
      return "<a href=\"?language=\(tag)\" lang=\"\(tag)\" hreflang=\"\(tag)\">\(name)</a>"
    }
    var pages: [(path: String, versions: [PageLanguage: String])] = []
    for page in sources {
      var versions: [PageLanguage: String] = [:]
      for (language, texts) in texts {
        let name = facts["site"] ?? ""
        var values = texts.inPages.mapValues { $0.replacing("{site}", with: name) }.merging(facts) { (_, fact) in fact }
        values["language"] = language.tag
        values["folder"] = "\(folder)/\(language.tag)"
        values["page"] = page.name
        values["title"] = values[page.title]
        let main = try PageTemplate("\(page.name).html", page.content).filled(with: values)
        let links = all.filter(\.isAdded).map { (one) in
          let (path, title) = (one.path.escapedForHTML, (values[one.title] ?? one.name).escapedForHTML)
          return "<a href=\"\(path)\">\(title)</a>\n"
        }
        versions[language] = try frame.filled(
          with: values,
          markup: [
            "main": main, "links": links.joined(), "languageLinks": languages.joined(separator: " "),
            "footerLinks": footer.markup(values), "themeColors": colors.markup,
            // A first visit has no use for it: browsers load it with its icons.
            "manifest": page.path == "/"
              ? "" : "<link rel=\"manifest\" href=\"\(folder)/\(language.tag)/manifest.webmanifest\">\n",
          ])
      }
      pages.append((page.path, versions))
    }
    return pages
  }

  /// A page in the language of each request. A choice is remembered for a year.
  private static func route(_ path: String, _ versions: [PageLanguage: StaticFile]) -> EndpointRoute {
    EndpointRoute(.get, path) { (request) in
      let choice = PageLanguageChoice(of: request, among: versions.keys)
      guard let file = versions[choice.language] else { throw EndpointError(.notFound) }
      var response = file.response(to: request)
      if choice.isNew,
        let cookie = EndpointCookie(
          PageLanguageChoice.cookie, choice.language.tag, isSecure: request.isEncrypted,
          maximumAge: .seconds(365 * 86_400))
      {
        response.set(cookie)
      }
      return response
    }
  }
}
