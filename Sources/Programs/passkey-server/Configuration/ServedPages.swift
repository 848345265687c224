// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyPages
internal import PasskeyProfiles
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The web pages of the server: those of the release, or with files of a folder that replace them.
struct ServedPages: Sendable, CustomStringConvertible {
  private let folder: String?

  /// The links at the end of the pages.
  let links: PageLinks

  private let files: [String: [UInt8]]

  /// The texts that each language of the folder lacks, by file.
  private let missing: [(file: String, names: [String])]

  /// Reads and checks the files of the folder that a value of the setting names. Returns nil if it is `off`.
  init?(_ choice: Settings.Choice, _ links: PageLinks, _ profile: ServiceProfile) throws(CommandFailure) {
    guard choice.text == "off" || profile.sessions.deliveries.contains(.cookie) else {
      throw .usage(
        "\(Setting.pages.option) needs sessions in cookies, which the profile \(profile.name) does not have",
        hint: "add \(Setting.tokens.option) both, or serve no pages")
    }
    self.links = links
    switch choice.text {
    case "off": return nil
    case "on": (folder, files, missing) = (nil, [:], [])
    default:
      var files: [String: [UInt8]] = [:]
      for name in try Self.names(in: choice) {
        guard SitePages.uses(name) else { throw Self.refusal(of: name, choice) }
        files[name] = try InputFile.bytes("\(choice.text)/\(name)")
      }
      guard !files.isEmpty else {
        throw choice.refused("use on, off, or a folder with one of \(SitePages.fileNames.joined(separator: ", "))")
      }
      do throws(PagesError) {
        try SitePages.validate(files)
        missing = try SitePages.missingTexts(in: files)
      } catch {
        throw choice.refused("\(error.description.escapedForTerminal)")
      }
      (folder, self.files) = (choice.text, files)
    }
  }

  /// Returns the names of the folder's files, without hidden ones.
  private static func names(in choice: Settings.Choice) throws(CommandFailure) -> [String] {
    guard let folder = unsafe opendir(choice.text) else {
      throw choice.refused("use on, off, or a folder with one of \(SitePages.fileNames.joined(separator: ", "))")
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { (pointer) in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The error of a file that the pages do not serve. Browsers would never get it.
  private static func refusal(of name: String, _ choice: Settings.Choice) -> CommandFailure {
    let names = SitePages.fileNames.joined(separator: ", ")
    return choice.refused(
      "\(name.escapedForTerminal) is not a file of the pages: the files of a folder are \(names)")
  }

  /// The state for display.
  var description: String {
    guard let folder else { return "on" }
    return "on, with \(files.keys.sorted().joined(separator: ", ")) of \(folder.escapedForTerminal)"
  }

  /// Prepares the pages.
  func site(for endpoints: Endpoints, _ configuration: ServerConfiguration) throws(CommandFailure) -> SitePages {
    do throws(PagesError) {
      return try SitePages(
        for: endpoints, replacing: files, links: links, embeddingOrigins: configuration.topOrigins,
        showsFaults: configuration.cookieSecurity == .development)
    } catch {
      throw .inputOutput("cannot serve the pages: \(error.description.escapedForTerminal)")
    }
  }

  /// Warns about texts that the pages show in English, and about pages on which no passkey works: browsers connect a page on this machine only with the RP ID `localhost`.
  func warnings(at listen: ListeningAddress, _ cookies: Endpoints.CookieSecurity, for id: RelyingPartyID) -> [String] {
    let english = missing.map { (file, names) in
      "\(file) has no text for \(names.prefix(5).map(\.escapedForTerminal).joined(separator: ", "))"
        + (names.count > 5 ? " and \(names.count - 5) more" : "") + ", which the pages show in English"
    }
    guard cookies == .development, !id.isLocal else { return english }
    let choice = folder?.quotedForTerminal ?? "on"
    return english + [
      "browsers refuse passkeys of \(id) on the pages at http://\(listen); to try the pages on this machine, run: "
        + "passkey-server \(Setting.pages.option) \(choice) \(Setting.relyingPartyID.option) localhost"
    ]
  }

  /// Warns about endpoints that the profile lacks: the pages cannot do their work, or leave out what needs them.
  static func warnings(about profile: ServiceProfile) -> [String] {
    let needed: [EndpointName] = [.registerOptions, .registerVerify, .signInOptions, .signInVerify, .me, .signOut]
    let optional: [EndpointName] = [
      .credentials, .renameCredential, .deleteCredential, .sessions, .revokeSession, .revokeSessions, .stepUpOptions,
      .stepUpVerify, .exportAccount, .eraseAccount, .users, .changes,
    ]
    func missing(_ names: [EndpointName]) -> String? {
      let missing = names.filter { profile[$0] == nil }.map(\.rawValue)
      return missing.isEmpty ? nil : missing.joined(separator: ", ")
    }
    return [
      missing(needed).map { "the pages do not work: the profile \(profile.name) has no \($0)" },
      missing(optional).map { "the pages leave out what needs \($0), which the profile \(profile.name) does not have" },
    ].compactMap(\.self)
  }

  /// The origin at which browsers find the pages; nil if it is not known.
  static func origin(of relyingParty: RelyingParty, _ cookies: Endpoints.CookieSecurity) -> String? {
    guard let origin = relyingParty.origins.first?.text else { return nil }
    return cookies == .development && !origin.hasPrefix("http://") ? nil : origin
  }

  /// Names our page on which users create and manage passkeys, unless the documents name others. Without TLS there is no entry,
  /// because the document requires https.
  static func addPasskeyEndpoints(of relyingParty: RelyingParty, to documents: inout WellKnownDocuments) {
    guard documents.passkeyEndpoints == nil, let origin = relyingParty.origins.first else { return }
    let page = "\(origin.text)/account"
    documents.passkeyEndpoints = try? PasskeyEndpoints(enroll: page, manage: page)
  }
}

extension Settings {
  /// Returns the links at the end of the pages.
  func pageLinks() throws(CommandFailure) -> PageLinks {
    func link(_ setting: Setting) throws(CommandFailure) -> String? {
      guard let choice = self.choice(setting) else { return nil }
      let isPath = choice.text.hasPrefix("/") && !choice.text.hasPrefix("//")
      guard isPath || choice.text.hasPrefix("https://") || choice.text.hasPrefix("http://") else {
        throw choice.refused("use a URL such as https://raxx.app/privacy, or a path such as /privacy")
      }
      return choice.text
    }
    return PageLinks(privacy: try link(.privacyPage), imprint: try link(.imprintPage), help: try link(.helpPage))
  }

  /// Returns which pages to serve: those of the profile `site`, unless the setting says otherwise, or none.
  func pages(for profile: ServiceProfile) throws(CommandFailure) -> Choice {
    if let choice = try given(.pages) { return choice }
    return Choice(text: profile.name == ServiceProfile.site.name ? "on" : "off", place: Setting.pages.option)
  }
}
