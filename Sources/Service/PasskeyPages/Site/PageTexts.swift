// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The texts of the pages in one language.
struct PageTexts {
  private let sections: [String: [String: String]]

  /// Merges files of one language; the text of a later file takes precedence.
  ///
  /// A file is a JSON object of sections, and a section one of texts by name: `{"page": {"signIn": "Sign in"}}`.
  private init(_ files: [(name: String, content: [UInt8])]) throws(PagesError) {
    var sections: [String: [String: String]] = [:]
    for file in files {
      do throws(WireError) {
        for section in try JSON.parse(file.content).members {
          for text in try section.value.members {
            sections[section.name, default: [:]][text.name] = try text.value.string
          }
        }
      } catch {
        throw PagesError(.textsMalformed, in: file.name, "\(error)")
      }
    }
    self.sections = sections
  }

  private init(_ texts: PageTexts, completedBy other: PageTexts) {
    sections = texts.sections.merging(other.sections) { (own, others) in own.merging(others) { (text, _) in text } }
  }

  /// The texts that pages contain, by name.
  var inPages: [String: String] {
    ["page", "text", "administration"].reduce(into: [:]) { (texts, section) in
      texts.merge(sections[section] ?? [:]) { (first, _) in first }
    }
  }

  /// The name of the language in itself.
  var languageName: String? { sections["page"]?["languageName"] }

  /// Returns a section as a JSON object. `text` is for all scripts, `administration` and `development` for some. `errors` has
  /// sentences for error codes, those in English only if `passkey.js` has none, and `faults` the meanings of faults.
  func json(_ section: String) -> [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      for (name, text) in (sections[section] ?? [:]).sorted(by: { $0.key < $1.key }) { object.write(name, text) }
    }
  }

  /// Reads the texts of all languages. Those of a folder replace those of the release and of added pages. A text that a language
  /// lacks is in English.
  static func all(_ files: PageFiles, _ added: [AddedPage]) throws(PagesError) -> [PageLanguage: PageTexts] {
    let own = try own(files, added)
    var texts: [PageLanguage: PageTexts] = [:]
    for (language, found) in own {
      guard found.languageName != nil else {
        throw PagesError(.textMissing, in: language.fileName, "languageName")
      }
      texts[language] = own[.english].map { PageTexts(found, completedBy: $0) }
    }
    return texts
  }

  /// Reads the texts that each language has itself.
  private static func own(_ files: PageFiles, _ added: [AddedPage]) throws(PagesError) -> [PageLanguage: PageTexts] {
    var own: [PageLanguage: PageTexts] = [:]
    for language in Set(PageLanguage.embedded.keys).union(files.languages) {
      let contents =
        [PageLanguage.embedded[language]] + added.map { $0.texts[language.tag] } + [files.texts(language)]
      own[language] = try PageTexts(contents.compactMap { $0.map { (language.fileName, $0) } })
    }
    return own
  }

  /// Returns the names of the texts that each added language lacks, by the name of its file.
  static func missing(_ files: PageFiles) throws(PagesError) -> [(file: String, names: [String])] {
    let own = try own(files, [])
    let complete = PageLanguage.embedded.keys.reduce(into: [String: Set<String>]()) { (complete, language) in
      for (section, texts) in own[language]?.sections ?? [:] { complete[section, default: []].formUnion(texts.keys) }
    }
    return own.sorted { $0.key < $1.key }.compactMap { (language, texts) in
      guard PageLanguage.embedded[language] == nil else { return nil }
      let names = complete.flatMap { (section, names) in names.filter { texts.sections[section]?[$0] == nil } }
      return names.isEmpty ? nil : (language.fileName, names.sorted())
    }
  }
}
