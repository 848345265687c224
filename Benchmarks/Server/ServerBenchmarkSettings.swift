// SPDX-License-Identifier: Apache-2.0

/// What `--server` is told.
struct ServerBenchmarkSettings {
  /// How many accounts there are in each of the databases. The first is what the others are compared with.
  var accounts = [1000, 1_000_000]

  /// How many clients sign in at once. [As many as a server takes from one address.]
  var clients = 64

  /// How long each database is loaded in a round, in seconds.
  var seconds = 4.0

  /// How often the databases take turns.
  var rounds = 9

  /// After how many sign-ins the memory is looked at.
  var signIns = 1_000_000

  var isJSON = false

  /// A word that has no meaning here, or no number behind it.
  struct Unknown: Error {
    let word: String
  }

  init(_ arguments: some Sequence<String>) throws {
    var words = Array(arguments)[...]
    while let word = words.popFirst() {
      switch word {
      case "--server": break
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
