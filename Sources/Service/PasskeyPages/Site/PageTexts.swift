// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The texts of the pages in one language.
struct PageTexts {
  /// The texts that pages contain, by name.
  let inPages: [String: String]

  /// The texts that scripts need, as a JSON object.
  let forScripts: [UInt8]

  /// The sentences for error codes, as a JSON object. `passkey.js` has the English ones of the others.
  let errors: [UInt8]

  /// The meanings of the faults that developers try, as a JSON object.
  let faults: [UInt8]

  /// Reads the texts of one language from files with the format of `strings.json`. The text of a later file takes precedence.
  init(_ language: PageLanguage, _ files: [[UInt8]]) throws(PagesError) {
    var sections: [String: [String: String]] = [:]
    for file in files {
      do throws(WireError) {
        for section in try JSON.parse(file).members {
          for text in try section.value.members {
            guard let found = try text.value[language.rawValue] else { continue }
            sections[section.name, default: [:]][text.name] = try found.string
          }
        }
      } catch {
        throw PagesError(.textsMalformed, in: PageFile.texts.rawValue, "\(error)")
      }
    }
    let scripts = sections["text"] ?? [:]
    inPages = (sections["page"] ?? [:]).merging(scripts) { (first, _) in first }
    forScripts = Self.json(scripts)
    errors = Self.json(sections["errors"] ?? [:])
    faults = Self.json(sections["faults"] ?? [:])
  }

  /// Reads the texts of all languages. Those of a folder replace those of the release and of added pages.
  static func all(_ files: PageFiles, _ added: [AddedPage]) throws(PagesError) -> [PageLanguage: PageTexts] {
    let json =
      [PageFile.texts.embedded] + added.map(\.texts) + [files.replacement(of: .texts)].compactMap(\.self)
    var texts: [PageLanguage: PageTexts] = [:]
    for language in PageLanguage.allCases { texts[language] = try PageTexts(language, json) }
    for file in json { try requireKnownLanguages(file) }
    return texts
  }

  /// Checks that the pages have the language of each text: one that no browser gets would be a mistake.
  private static func requireKnownLanguages(_ file: [UInt8]) throws(PagesError) {
    var unknown: String?
    do throws(WireError) {
      for section in try JSON.parse(file).members {
        for text in try section.value.members {
          for language in try text.value.members.map(\.name) where PageLanguage(rawValue: language) == nil {
            unknown = unknown ?? "\(language) of \(section.name).\(text.name); the pages have \(PageLanguage.names)"
          }
        }
      }
    } catch {
      throw PagesError(.textsMalformed, in: PageFile.texts.rawValue, "\(error)")
    }
    if let unknown { throw PagesError(.languageUnsupported, in: PageFile.texts.rawValue, unknown) }
  }

  private static func json(_ texts: [String: String]) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      for (name, text) in texts.sorted(by: { $0.key < $1.key }) { object.write(name, text) }
    }
  }
}
