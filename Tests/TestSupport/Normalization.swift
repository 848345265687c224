// SPDX-License-Identifier: Apache-2.0

/// Replaces the parts of program output that change between runs: times, identifiers, ports.
public enum Normalization {
  /// Writes `TIME` for a time in RFC 3339, `ID` for 16 or 32 bytes in base64url or 16 in hex, `PORT` for the port, `HERE` for
  /// the folder.
  public static func normalized(_ text: String, port: String, folder: String) -> String {
    let placed = text.replacing(folder, with: "HERE")
    let timed = placed.replacing(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
    let named = timed.replacing(/[A-Za-z0-9_\-]+/) { (match) in isIdentifier(match.output) ? "ID" : match.output }
    return named.replacing(":\(port)", with: ":PORT")
  }

  /// Long words are not identifiers: they have no digits, or only digits.
  private static func isIdentifier(_ word: Substring) -> Bool {
    switch word.count {
    case 22, 43: word.contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
    case 32: word.allSatisfy { "0123456789abcdef".contains($0) }
    default: false
    }
  }
}
