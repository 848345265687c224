// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

extension Inspector {
  /// Takes the options of a ceremony apart, and says what a browser does with them: which values it converts, and which
  /// exception it throws.
  func options(
    _ text: Bytes, named name: String, _ shape: JSONShape, for ceremony: BrowserOptions.Ceremony
  ) -> InspectionNode {
    var node = json(text, named: name, shape)
    guard let value = try? JSON.parse(text, maximumSize: Inspection.maximumByteCount) else { return node }
    let options = Self.unwrapped(value, shape)
    guard options.kind == .object else { return node }
    // The browser's types decide, and not the shape, which says how to show the values.
    node.removeProblems()
    let asRead = BrowserOptions(options, for: ceremony)
    for refusal in asRead.refusals {
      let code = refusal.fault.wireError?.code.rawValue ?? refusal.fault.code.rawValue
      let problem = InspectionProblem(
        code: code, offset: refusal.fault.offset, "a browser \(refusal.effect)".escapedForTerminal)
      node.update(at: refusal.fault.offset) { (part) in part.problems.append(problem) }
    }
    for change in asRead.changes {
      if asRead.refusals.isEmpty, change.isNullRelyingPartyID {
        let code = FormatError.Code.relyingPartyIDInvalid.rawValue
        let problem = InspectionProblem(
          code: code, offset: change.offset, "a browser throws SecurityError: no page has the domain \"null\"")
        node.update(at: change.offset) { (part) in part.problems.append(problem) }
      }
      let remark = "a browser \(change.effect)".escapedForTerminal
      node.update(at: change.offset) { (part) in part.remarks.append(remark) }
    }
    return node
  }
}

extension BrowserOptions.Change {
  /// Whether null is the RP ID.
  fileprivate var isNullRelyingPartyID: Bool { ["rpId", "rp.id"].contains(member) && effect.contains("\"null\"") }
}

extension InspectionNode {
  fileprivate mutating func removeProblems() {
    problems = []
    for index in children.indices { children[index].removeProblems() }
  }

  /// Changes the part that begins at an offset, or else this one.
  fileprivate mutating func update(at offset: Int, _ change: (inout Self) -> Void) {
    if span?.lowerBound != offset,
      let index = children.firstIndex(where: { (child) in child.span?.contains(offset) ?? false })
    {
      children[index].update(at: offset, change)
    } else {
      change(&self)
    }
  }
}
