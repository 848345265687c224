// SPDX-License-Identifier: Apache-2.0

/// Commands that share their first word, as `passkey mds verify` and `passkey mds show` do.
package struct CommandGroup: Sendable {
  /// The word that they share.
  package let name: String

  /// One line, lower case, no full stop.
  package let summary: String

  /// Paragraphs of help.
  package let discussion: [String]

  /// The commands. The specification of each is called by both words.
  package let members: [any Command.Type]

  package init(name: String, summary: String, discussion: [String], members: [any Command.Type]) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.members = members
  }
}
