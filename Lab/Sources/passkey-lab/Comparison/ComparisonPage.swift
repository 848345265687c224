// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnInspection

/// A comparison as a page in Markdown.
struct ComparisonPage {
  let comparison: Comparison
  let notes: ComparisonNotes
  let date: UnixTime

  /// A disagreement: a case and the index of the implementation that disagrees.
  private typealias Dispute = (compared: ComparedCase, implementation: Int)

  private var disputes: [Dispute] {
    comparison.disputed.flatMap { (compared) in
      compared.others.indices.filter { compared.relation(of: compared.others[$0]) == .disagreement }.map {
        (compared, $0)
      }
    }
  }

  /// The disagreements that no note explains, as `CASE (IMPLEMENTATION)`.
  var unexplained: [String] {
    disputes.compactMap { (dispute) in
      let (id, name) = (dispute.compared.recorded.id, comparison.implementations[dispute.implementation].name)
      return notes.index(of: id, name) == nil ? "\(id) (\(name))" : nil
    }
  }

  var text: String {
    let introduction = """
      # Comparison with other implementations

      The same \(comparison.cases.count) cases, verified by this project and by other implementations of relying parties. \
      [Adapters](Adapters.md) describes how, and how to add an implementation. This page was generated on \
      \(date.description.prefix(10)).

      An implementation *agrees* if it accepts a response exactly if `passkey verify` does. It *crashes* if it refuses with an \
      error that is not one of its documented ones. A case is *unsupported* if the implementation has no parameter for \
      something that the case needs; the application has to check it. A disagreement is not always a fault: the explanations \
      say what the standard requires. Sections are those of WebAuthn Level 3 if no other standard is named.
      """
    let disagreements = disputes.isEmpty ? ["No implementation disagrees."] : kinds
    let sections = [introduction, implementations, "## Disagreements"] + disagreements + crashes
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var implementations: String {
    let rows = zip(comparison.implementations, comparison.tallies).map { (implementation, tally) in
      [
        implementation.name, implementation.version, implementation.runtime ?? "", "\(tally.agreements)",
        "\(tally.disagreements)", "\(tally.crashes)", "\(tally.unsupported)",
      ]
    }
    return Self.table(
      ["implementation", "version", "runs on", "agrees", "disagrees", "crashes", "unsupported"], rows, numbersFrom: 3)
  }

  private var kinds: [String] {
    let names = comparison.implementations.map(\.name)
    let groups = Dictionary(grouping: disputes) { (dispute) in
      notes.index(of: dispute.compared.recorded.id, names[dispute.implementation]) ?? notes.kinds.count
    }
    return groups.sorted { $0.key < $1.key }.map { (index, disputes) in
      let head =
        index < notes.kinds.count
        ? "### \(notes.kinds[index].title)\n\n\(notes.kinds[index].section). \(notes.kinds[index].text)"
        : "### Not explained"
      return "\(head)\n\n\(table(of: disputes))"
    }
  }

  /// A row for each case, with the verdicts of the implementations that disagree for this reason.
  private func table(of disputes: [Dispute]) -> String {
    var rows: [(compared: ComparedCase, disagreeing: Set<Int>)] = []
    for dispute in disputes {
      if let last = rows.last, last.compared.recorded.id == dispute.compared.recorded.id {
        rows[rows.count - 1].disagreeing.insert(dispute.implementation)
      } else {
        rows.append((dispute.compared, [dispute.implementation]))
      }
    }
    let shown = comparison.implementations.indices
    return Self.table(
      ["case", "passkey"] + shown.map { comparison.implementations[$0].name },
      rows.map { (row) in
        ["`\(row.compared.recorded.id)`", Self.code(row.compared.ownVerdict)]
          + shown.map { (index) in
            let verb = row.compared.others[index].kind.verb
            return row.disagreeing.contains(index) ? "**\(verb)**" : verb
          }
      })
  }

  private var crashes: [String] {
    let rows = comparison.crashed.flatMap { (compared) in
      compared.others.enumerated().filter { compared.relation(of: $0.element) == .crash }.map { (index, other) in
        [
          "`\(compared.recorded.id)`", comparison.implementations[index].name,
          "`\((other.reason ?? "").replacing("`", with: "'").replacing("|", with: "/"))`",
        ]
      }
    }
    guard !rows.isEmpty else { return [] }
    let introduction = """
      Both refuse these responses, but the implementation reports an error that is not one of its documented ones. A server \
      that catches only the documented errors answers as if the server itself were broken. Each adapter names the errors that \
      count as documented: those of the library's own, and what its checks raise.
      """
    return ["## Crashes", introduction, Self.table(["case", "implementation", "error"], rows)]
  }

  /// Our verdict, with the codes as code.
  private static func code(_ verdict: String) -> String {
    verdict.split(separator: ", ").map { (part) in
      guard let last = part.split(separator: " ").last, last.contains(".") else { return String(part) }
      return part.dropLast(last.count) + "`\(last)`"
    }.joined(separator: ", ")
  }

  private static func table(_ head: [String], _ rows: [[String]], numbersFrom start: Int = .max) -> String {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    let rule = "|" + head.indices.map { $0 < start ? "---|" : "---:|" }.joined()
    return ([line(head), rule] + rows.map(line)).joined(separator: "\n")
  }
}
