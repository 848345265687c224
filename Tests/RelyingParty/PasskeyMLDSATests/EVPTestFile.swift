// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

/// Test data in the format of OpenSSL's `evp_test`: stanzas of lines `NAME = VALUE`, separated by empty lines.
struct EVPTestFile {
  let stanzas: [Stanza]

  /// A key or a case.
  struct Stanza {
    /// The number of the first line in the file.
    let line: Int
    /// The name and the value of the line that says what the stanza is.
    let kind: (name: String, value: String)
    private let values: [String: String]

    /// Reads the lines of a stanza. Returns nil if it has only comments.
    fileprivate init?(_ lines: ArraySlice<Substring>) {
      var fields: [(name: String, value: String)] = []
      for line in lines where !line.hasPrefix("#") {
        let parts = line.split(separator: "=", maxSplits: 1).map { $0.split(separator: " ").joined(separator: " ") }
        fields.append((parts[0], parts.count == 2 ? parts[1] : ""))
      }
      // OpenSSL 3.5 is old enough for every case.
      fields.removeAll { $0.name == "FIPSversion" }
      guard let first = fields.first else { return nil }
      line = lines.startIndex + 1
      kind = first
      values = Dictionary(
        fields.dropFirst().map { (name, value) in
          guard name.hasPrefix("Ctrl") else { return (name, value) }
          let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
          return ("\(name) \(parts[0])", parts.count == 2 ? parts[1] : "")
        }, uniquingKeysWith: { (first, _) in first })
    }

    /// Returns the value of a line: `Input`, `Ctrl mu`, `CtrlOut hexpub`, …
    subscript(_ name: String) -> String? { values[name] }

    /// Returns the bytes of a line's hexadecimal value.
    func bytes(_ name: String) -> [UInt8]? { self[name].map(hex) }
  }

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    stanzas = lines.indices.split { lines[$0].isEmpty }.compactMap { Stanza(lines[$0]) }
  }
}
