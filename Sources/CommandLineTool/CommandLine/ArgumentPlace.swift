// SPDX-License-Identifier: Apache-2.0

/// A place of a command's line for an argument that is no option, as the first line of help draws it: `FILE|-`, or
/// `set|change`, or `[COMMAND…]`.
struct ArgumentPlace: Equatable {
  /// Words that stand for themselves.
  var words: [String] = []

  /// Whether a file's name may stand here.
  var isFile = false

  /// Whether more of the same may follow.
  var isRepeated = false

  /// The places of a command, in their order.
  static func all(of specification: CommandSpecification) -> [Self] {
    specification.arguments.split(separator: " ").compactMap { (drawing) in
      let drawing = drawing.filter { !"[]".contains($0) }
      return drawing.hasPrefix("-") || drawing.hasPrefix("OPTION") ? nil : Self(drawing)
    }
  }

  /// Reads what help draws.
  init(_ drawing: String) {
    isRepeated = drawing.hasSuffix("…")
    for part in drawing.filter({ $0 != "…" }).split(separator: "|") {
      if ["FILE", "PATH", "FOLDER"].contains(where: { part.hasSuffix($0) }) { isFile = true }
      // What is replaced by something else stands in capitals.
      if part != "-", part == part.lowercased() { words.append(String(part)) }
    }
  }
}
