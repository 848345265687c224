// SPDX-License-Identifier: Apache-2.0

/// A place of a command's line for an argument that is no option, as the first line of help draws it: `FILE|-`, or
/// `set|change`, or `[COMMAND…]`.
struct ArgumentPlace: Equatable {
  /// Words that stand for themselves.
  var words: [String] = []

  /// What stands in front of a file's name here, which is nothing for most; nil where no file's name may stand.
  var filePrefix: String?

  /// Whether more of the same may follow.
  var isRepeated = false

  /// The places of a command, in their order.
  static func all(of specification: CommandSpecification) -> [Self] {
    var places: [Self] = []
    // What is drawn behind an option that takes a value is that value.
    var isValue = false
    for word in specification.arguments.split(separator: " ") {
      let drawing = word.filter { !"[]".contains($0) }
      let option = specification.options.first { (option) in option.name == drawing }
      if !isValue, option == nil, !drawing.hasPrefix("-"), !drawing.hasPrefix("OPTION") {
        places.append(Self(drawing, specification.literals))
      }
      isValue = option?.value != nil
    }
    return places
  }

  /// Reads what help draws.
  init(_ drawing: String, _ literals: [String] = []) {
    isRepeated = drawing.hasSuffix("…")
    for part in drawing.filter({ $0 != "…" }).split(separator: "|").map(String.init) {
      // What is replaced by something else stands in capitals.
      if literals.contains(part) || part != "-" && part == part.lowercased() {
        words.append(part)
      } else if !part.hasPrefix("/"), ["FILE", "PATH", "FOLDER"].contains(where: { part.hasSuffix($0) }) {
        // A path that begins with a slash is a server's.
        filePrefix = part.hasPrefix("@") ? "@" : ""
      }
    }
  }
}
