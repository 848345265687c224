// SPDX-License-Identifier: Apache-2.0

/// Commands that share their first word, as `passkey mds verify` and `passkey mds show` do.
struct CommandGroup: Sendable {
  /// The word that they share.
  let name: String

  /// One line, lower case, no full stop.
  let summary: String

  /// Paragraphs of help.
  let discussion: [String]

  /// The commands. The specification of each is called by both words.
  let members: [any Command.Type]
}
