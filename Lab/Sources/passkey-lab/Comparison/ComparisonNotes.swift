// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats

/// Explanations of disagreements: a file of JSON with an array of ``Kind``.
struct ComparisonNotes {
  /// A kind of disagreement.
  struct Kind {
    let title: String

    /// The place in a standard that decides, such as `§7.1 step 10`.
    let section: String

    let text: String

    /// Ids of cases. A `*` at the end stands for the rest of an id.
    private let cases: [String]

    /// The implementations that the explanation is for; nil for all.
    private let implementations: [String]?

    fileprivate init(_ value: JSONValue) throws(WireError) {
      title = try value.require("title").string
      section = try value.require("section").string
      text = try value.require("text").string
      cases = try value.require("cases").elements { (pattern) throws(WireError) in try pattern.string }
      implementations = try value["implementations"]?.elements { (name) throws(WireError) in try name.string }
    }

    /// Whether it explains a disagreement of this implementation.
    func explains(_ id: String, _ implementation: String) -> Bool {
      guard implementations?.contains(implementation) ?? true else { return false }
      return cases.contains { (pattern) in
        pattern.hasSuffix("*") ? id.hasPrefix(pattern.dropLast()) : id == pattern
      }
    }
  }

  let kinds: [Kind]

  /// No explanations.
  init() {
    kinds = []
  }

  init(path: String) throws(CommandFailure) {
    let text = try InputFile.bytes(path)
    do throws(WireError) {
      kinds = try JSON.parse(text[...]).require("kinds").elements { (kind) throws(WireError) in try Kind(kind) }
    } catch {
      throw .inputOutput("\(InputFile.name(path)): \(error)", hint: "Lab/Documentation/Adapters.md describes the file")
    }
  }

  /// The index of the first kind that explains a disagreement.
  func index(of id: String, _ implementation: String) -> Int? {
    kinds.firstIndex { $0.explains(id, implementation) }
  }
}
