// SPDX-License-Identifier: Apache-2.0

/// Code that a document shows and a test runs. In the test it is between the lines `// [shown]` and `// [until here]`.
public enum ShownCode {
  /// Returns the Swift blocks of a document in sequence.
  public static func blocks(inDocument path: String) throws -> [String] {
    try regions(of: path, from: "```swift", to: "```")
  }

  /// Returns the marked regions of a source file in sequence.
  public static func regions(inSource path: String) throws -> [String] {
    try regions(of: path, from: "// [shown]", to: "// [until here]")
  }

  /// Returns the lines of a file.
  public static func lines(of path: String) throws -> [String] {
    String(decoding: try File.bytes(path), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the modules that Swift code imports, except those that come with the toolchain.
  public static func imports(in code: String) -> Set<String> {
    let modules = code.split(separator: "\n").compactMap { (line) in
      line.wholeMatch(of: /(?:@\w+ )?import (\w+)/).map { String($0.1) }
    }
    return Set(modules).subtracting(["Testing", "Foundation", "FoundationEssentials", "Synchronization"])
  }

  /// Returns the products that the package manifests in a document name.
  public static func products(inDocument path: String) throws -> Set<String> {
    let manifest = try lines(of: path).joined(separator: "\n")
    return Set(manifest.matches(of: /\.product\(name: "(\w+)"/).map { String($0.1) })
  }

  /// Returns the lines between two markers, without their common indentation.
  private static func regions(of path: String, from opening: String, to closing: String) throws -> [String] {
    var regions: [String] = []
    var open: [String]?
    for line in try lines(of: path) {
      let words = line.drop { $0 == " " }
      if words == opening {
        open = []
      } else if words == closing, let region = open {
        regions.append(withoutIndentation(region).joined(separator: "\n"))
        open = nil
      } else {
        open?.append(line)
      }
    }
    return regions
  }

  private static func withoutIndentation(_ lines: [String]) -> [String] {
    let width = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(width)) }
  }
}
