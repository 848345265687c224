// SPDX-License-Identifier: Apache-2.0

/// A file of the pages, compiled in. A folder may have another version.
enum PageFile: String, CaseIterable {
  case frame = "frame.html"
  case signIn = "sign-in.html"
  case account = "account.html"
  case confirm = "confirm.html"
  case administration = "admin.html"
  case faults = "faults.html"
  case notFound = "not-found.html"
  case about = "about.html"
  case theme = "theme.css"
  case style = "style.css"
  case icon = "icon.svg"
  case touchIcon = "touch-icon.png"
  case common = "ui.js"
  case dialog = "dialog.js"
  case signInScript = "sign-in.js"
  case accountScript = "account.js"
  case confirmScript = "confirm.js"
  case administrationScript = "admin.js"
  case faultsScript = "faults.js"
  case notFoundScript = "not-found.js"
  case aboutScript = "about.js"
  case actions = "actions.json"

  /// The content of this release.
  var embedded: [UInt8] {
    switch self {
    case .frame: PackageResources.frame_html
    case .signIn: PackageResources.sign_in_html
    case .account: PackageResources.account_html
    case .confirm: PackageResources.confirm_html
    case .administration: PackageResources.admin_html
    case .faults: PackageResources.faults_html
    case .notFound: PackageResources.not_found_html
    case .about: PackageResources.about_html
    case .theme: PackageResources.theme_css
    case .style: PackageResources.style_css
    case .icon: PackageResources.icon_svg
    case .touchIcon: PackageResources.touch_icon_png
    case .common: PackageResources.ui_js
    case .dialog: PackageResources.dialog_js
    case .signInScript: PackageResources.sign_in_js
    case .accountScript: PackageResources.account_js
    case .confirmScript: PackageResources.confirm_js
    case .administrationScript: PackageResources.admin_js
    case .faultsScript: PackageResources.faults_js
    case .notFoundScript: PackageResources.not_found_js
    case .aboutScript: PackageResources.about_js
    case .actions: PackageResources.actions_json
    }
  }

  /// The media type of a file that browsers load by itself; nil for the parts of a page and the actions.
  var mediaType: String? {
    switch self {
    case .frame, .signIn, .account, .confirm, .administration, .faults, .notFound, .about, .actions: nil
    case .theme, .style: Self.styleSheet
    case .icon: "image/svg+xml"
    case .touchIcon: "image/png"
    case .common, .dialog, .signInScript, .accountScript, .confirmScript, .administrationScript, .faultsScript,
      .notFoundScript, .aboutScript:
      Self.script
    }
  }

  static let script = "text/javascript; charset=utf-8"
  static let styleSheet = "text/css; charset=utf-8"
}

/// The files of the pages: those of the release, or others in their place.
struct PageFiles {
  private let replacing: [String: [UInt8]]

  init(_ replacing: [String: [UInt8]]) {
    self.replacing = replacing
  }

  subscript(file: PageFile) -> [UInt8] { replacement(of: file) ?? file.embedded }

  /// The file as browsers get it. A file in place of one of the release stays as it is.
  func served(_ file: PageFile) -> [UInt8] {
    replacement(of: file) ?? (file.mediaType == PageFile.script ? CompactScript.compact(file.embedded) : file.embedded)
  }

  private func replacement(of file: PageFile) -> [UInt8]? { replacing[file.rawValue] }

  /// The images and fonts of the folder.
  var assets: [(name: String, type: String, bytes: [UInt8])] {
    replacing.sorted { $0.key < $1.key }.compactMap { (name, bytes) in
      guard PageFile(rawValue: name) == nil else { return nil }
      return PageAsset.mediaType(of: name).map { (name, $0, bytes) }
    }
  }

  /// The languages that the folder has texts in.
  var languages: [PageLanguage] { replacing.keys.compactMap { PageLanguage(fileName: $0) } }

  /// The texts of the folder in a language.
  func texts(_ language: PageLanguage) -> [UInt8]? { replacing[language.fileName] }
}

/// A page: its path, its content and the name of its title.
struct PageSource {
  let path: String
  /// The name of the script and of the class of the page.
  let name: String
  let content: [UInt8]
  let title: String
  /// Whether the page is the server's own. The menu has a link to it.
  let isAdded: Bool

  private init(_ path: String, _ file: PageFile, title: String, _ files: PageFiles) {
    self.path = path
    name = String(file.rawValue.prefix { $0 != "." })
    content = files[file]
    self.title = title
    isAdded = false
  }

  private init(_ added: AddedPage) {
    path = added.path
    name = added.name
    content = added.content
    title = added.name
    isAdded = true
  }

  /// The pages of the service.
  static func all(_ files: PageFiles, forDevelopment: Bool) -> [PageSource] {
    [
      PageSource("/", .signIn, title: "signIn", files),
      PageSource("/about-passkeys", .about, title: "whatIsPasskey", files),
      PageSource("/account", .account, title: "yourAccount", files),
      PageSource("/confirm", .confirm, title: "confirmTitle", files),
      PageSource("/admin", .administration, title: "administration", files),
    ] + (forDevelopment ? [PageSource("/faults", .faults, title: "faults", files)] : [])
  }

  /// The page for addresses that no page has.
  static func notFound(_ files: PageFiles) -> PageSource { PageSource("", .notFound, title: "notFoundTitle", files) }

  /// The pages that a server adds.
  static func all(_ added: [AddedPage]) -> [PageSource] { added.map { PageSource($0) } }
}
