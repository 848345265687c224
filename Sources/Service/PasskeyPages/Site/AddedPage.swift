// SPDX-License-Identifier: Apache-2.0

/// A page of a server's own, with the header, the messages, the look and the languages of the service's pages.
///
/// Its script imports what all pages share: `requireSession` and `passkeys` from `./ui.js`, for example. The page can load
/// files of its folder, `{{folder}}`, and its texts: `<link rel="stylesheet" href="{{folder}}/portfolio.css">`.
public struct AddedPage: Sendable {
  let path: String
  let content: [UInt8]
  let script: [UInt8]
  let style: [UInt8]
  let texts: [String: [UInt8]]
  let actions: [UInt8]

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? "page" }

  /// Describes a page.
  ///
  /// - Parameters:
  ///   - path: The path, such as `/portfolio`. Its last part names the files of the page and the text with its title.
  ///   - content: HTML for the element `main`, with placeholders for texts such as `{{portfolio}}`.
  ///   - script: The ES module `portfolio.js`.
  ///   - style: The style sheet `portfolio.css`.
  ///   - texts: Texts and sentences for error codes, by language, in the format of `strings.LANG.json`. A text that a language
  ///     lacks is in English (`en`).
  ///   - actions: Descriptions of the requests that the page has confirmed, in the format of `actions.json`.
  public init(
    path: String, content: [UInt8], script: [UInt8], style: [UInt8], texts: [String: [UInt8]],
    actions: [UInt8] = Array("{}".utf8)
  ) {
    self.path = path
    self.content = content
    self.script = script
    self.style = style
    self.texts = texts
    self.actions = actions
  }
}
