// SPDX-License-Identifier: Apache-2.0

/// The options of `--growth`.
struct GrowthSettings {
  /// The numbers of accounts, ascending.
  var sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]

  /// The number of concurrent clients. [Below the server's limit for one address, because unknown names need a connection.]
  var clients = 48

  /// The duration of a round for each database, in seconds.
  var seconds = 3.0

  /// The number of rounds.
  var rounds = 7

  /// A folder in which the databases remain for a later run; nil for a temporary one.
  var folder: String?

  /// The folder for charts and figures; nil if none are written.
  var output: String?

  /// The memory in MiB for the last measurement, with a database that does not fit; nil to leave it out.
  var memory: Int?

  var isJSON = false

  init(_ arguments: some Sequence<String>) throws {
    var words = Array(arguments)[...]
    while let word = words.popFirst() {
      switch word {
      case "--json": isJSON = true
      case "--growth":
        guard let list = words.first, !list.hasPrefix("-") else { continue }
        words.removeFirst()
        sizes = try list.split(separator: ",").map { try Self.number(String($0), word) }.sorted()
        guard !sizes.isEmpty else { throw ServerBenchmarkSettings.Unknown(word: word) }
      case "--clients": clients = try Self.number(words.popFirst(), word)
      case "--rounds": rounds = try Self.number(words.popFirst(), word)
      case "--seconds": seconds = Double(try Self.number(words.popFirst(), word))
      case "--memory": memory = try Self.number(words.popFirst(), word)
      case "--folder": folder = words.popFirst()
      case "--output": output = words.popFirst()
      default: throw ServerBenchmarkSettings.Unknown(word: word)
      }
    }
  }

  private static func number(_ text: String?, _ word: String) throws -> Int {
    guard let number = text.flatMap({ Int($0) }), number > 0 else { throw ServerBenchmarkSettings.Unknown(word: word) }
    return number
  }
}
