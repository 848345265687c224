// SPDX-License-Identifier: Apache-2.0

/// The options of `--server` and `--load`.
struct ServerBenchmarkSettings {
  /// The number of accounts in each database. The others are compared with the first.
  var accounts = [1000, 1_000_000]

  /// The number of concurrent clients. [The server's limit for one address.]
  var clients = 64

  /// The duration of a round for each database, in seconds.
  var seconds = 4.0

  /// The number of rounds.
  var rounds = 9

  /// The number of sign-ins before the memory is measured.
  var signIns = 1_000_000

  var isJSON = false

  /// An unknown option, or one without a number.
  struct Unknown: Error {
    let word: String
  }

  init(_ arguments: some Sequence<String>) throws {
    var words = Array(arguments)[...]
    while let word = words.popFirst() {
      switch word {
      case "--server", "--load": break
      case "--json": isJSON = true
      case "--accounts":
        accounts = try Self.text(behind: word, &words).split(separator: ",").map { try Self.number(String($0), word) }
        guard !accounts.isEmpty else { throw Unknown(word: word) }
      case "--clients": clients = try Self.number(Self.text(behind: word, &words), word)
      case "--rounds": rounds = try Self.number(Self.text(behind: word, &words), word)
      case "--sign-ins": signIns = try Self.number(Self.text(behind: word, &words), word)
      case "--seconds":
        guard let number = Double(try Self.text(behind: word, &words)), number > 0 else { throw Unknown(word: word) }
        seconds = number
      default: throw Unknown(word: word)
      }
    }
  }

  private static func text(behind word: String, _ words: inout ArraySlice<String>) throws -> String {
    guard let text = words.popFirst() else { throw Unknown(word: word) }
    return text
  }

  private static func number(_ text: String, _ word: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw Unknown(word: word) }
    return number
  }
}
