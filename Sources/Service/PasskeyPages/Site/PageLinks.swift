// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Links at the end of every page, to pages of the operator.
public struct PageLinks: Hashable, Sendable {
  /// The privacy notice.
  public var privacy: String?

  /// The imprint, which names the operator.
  public var imprint: String?

  /// Help for users.
  public var help: String?

  /// Creates the links. Each is an absolute URL, or a path that begins with a slash; nil leaves it out.
  public init(privacy: String? = nil, imprint: String? = nil, help: String? = nil) {
    self.privacy = privacy
    self.imprint = imprint
    self.help = help
  }

  /// The links as markup, with their titles in the texts of a language.
  func markup(_ texts: [String: String]) -> String {
    let links = [("privacy", privacy), ("imprint", imprint), ("help", help)].compactMap { (name, target) in
      target.map { "<a href=\"\($0.escapedForHTML)\">\((texts[name] ?? name).escapedForHTML)</a>" }
    }
    let label = (texts["moreLinks"] ?? "").escapedForHTML
    return links.isEmpty ? "" : "<nav aria-label=\"\(label)\">\(links.joined(separator: " "))</nav>\n"
  }
}
