// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyHTTP

/// Facts about the service that pages use: its name, its rules for names, and its endpoints.
struct SiteFacts {
  private let name: String
  private let service: [UInt8]
  private let administration: [UInt8]
  private let destinations: [String]
  private let targets: [SiteAccess.ReturnTarget]

  /// The values for pages.
  let values: [String: String]

  /// Values of no service, for checks of files.
  static let sample = ["site": "", "emailRule": "required", "usernameRule": "none"]

  init(_ endpoints: Endpoints, _ added: [AddedPage]) throws(PagesError) {
    // The first one is where a sign-in leads.
    destinations = added.map(\.path) + ["/account", "/admin", "/confirm"]
    targets = endpoints.site?.returnTargets ?? []
    name = endpoints.serviceName
    service = endpoints.serviceDescription
    administration = endpoints.administrationDescription
    var values = ["site": name]
    do throws(WireError) {
      let rules = try JSON.parse(service).require("identifiers")
      values["emailRule"] = try rules.require("email").string
      values["usernameRule"] = try rules.require("username").string
    } catch {
      throw PagesError(.pageMalformed, in: "site.js", "\(error)")
    }
    self.values = values
  }

  /// The module with the texts and the description of the service.
  func script(_ language: PageLanguage, _ texts: PageTexts, _ actions: [UInt8]) -> [UInt8] {
    Self.module([
      ("language", JSON.write(.string(language.tag))), ("site", JSON.write(.string(name))),
      ("destinations", JSON.writeArray { (paths) in destinations.forEach { paths.write($0) } }),
      (
        "targets",
        JSON.writeArray { (list) in
          for target in targets {
            list.writeObject { (object) in
              object.write("origin", target.origin)
              object.write("path", target.path)
            }
          }
        }
      ),
      ("text", texts.json("text")), ("errors", texts.json("errors")), ("actions", actions),
      ("service", service),
    ])
  }

  /// The manifest with which a browser puts the site on a home screen.
  func manifest(_ language: PageLanguage, _ colors: ThemeColors) -> [UInt8] {
    JSON.writeObject { (object) in
      for member in ["name", "short_name"] { object.write(member, name) }
      object.write("lang", language.tag)
      object.write("start_url", "/")
      object.write("scope", "/")
      object.write("display", "minimal-ui")
      if let color = colors.light {
        for member in ["background_color", "theme_color"] { object.write(member, color) }
      }
      object.writeArray("icons") { (list) in
        for (file, sizes) in [(PageFile.icon, "any"), (.touchIcon, "180x180")] {
          list.writeObject { (object) in
            object.write("src", file.rawValue)
            object.write("sizes", sizes)
            object.write("type", file.mediaType ?? "")
          }
        }
      }
    }
  }

  /// The module with the endpoints of administrators, and the texts of their page.
  func administrationScript(_ texts: PageTexts) -> [UInt8] {
    Self.module([("administration", administration), ("words", texts.json("administration"))])
  }

  /// The module with the meanings of the faults that developers try, and the texts of their page.
  static func faultsScript(_ texts: PageTexts) -> [UInt8] {
    module([("faults", texts.json("faults")), ("words", texts.json("development"))])
  }

  /// Returns an ES module. JSON is a part of the language.
  private static func module(_ constants: [(name: String, json: [UInt8])]) -> [UInt8] {
    constants.flatMap { Array("export const \($0.name) = ".utf8) + $0.json + Array(";\n".utf8) }
  }
}
