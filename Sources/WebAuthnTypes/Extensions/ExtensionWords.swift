// SPDX-License-Identifier: Apache-2.0

/// How outputs tell of themselves in a line.
enum ExtensionWords {
  /// The outputs that are there, each behind its name.
  static func list(_ outputs: [(name: String, output: Any?)]) -> String {
    let words = outputs.compactMap { name, output in output.map { "\(name) (\($0))" } }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}
