// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty

/// The page as HTML: the form, and below it each step of the verification beside the content of the artifacts.
///
/// The page has no script, so that no artifact can run one.
struct ExplanationPage {
  /// The path of the page. Its files are below it.
  let path: String

  /// Returns the page with a form and what it explains.
  func html(_ form: ExplanationForm, _ explanation: Explanation?) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(HTML.visible(Self.title(explanation))) · passkey</title>
    <link rel="stylesheet" href="\(path)/theme.css">
    <link rel="stylesheet" href="\(path)/style.css">
    <link rel="icon" type="image/svg+xml" href="\(path)/icon.svg">
    </head>
    <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="bar">
    <a class="brand" href="\(path)"><img src="\(path)/icon.svg" width="28" height="28" alt="">passkey</a>
    </header>
    <main id="main" tabindex="-1">
    <h1>Explain a passkey artifact</h1>
    <p class="lead">Paste a response, options, a file of cases or any other artifact. This machine decodes and verifies \
    it. Nothing is stored, and nothing is sent to another machine.</p>
    \(Self.form(form, action: path))\(explanation.map { Self.result($0, isFull: !form[.full].isEmpty) } ?? "")</main>
    <footer>
    <p>This page comes from a program on your machine. It has no script and loads only its own style sheets.</p>
    </footer>
    </body>
    </html>

    """
  }

  /// The title, which screen readers say first.
  private static func title(_ explanation: Explanation?) -> String {
    guard let explanation else { return "Explain a passkey artifact" }
    guard explanation.parts.count == 1, let part = explanation.parts.first else {
      return "\(explanation.parts.count) cases explained"
    }
    switch part.verification {
    case .judged(let judgment): return verdict(judgment.verdict)
    case .impossible: return "Not verified"
    case .pending: return "Content of the artifact"
    }
  }

  private static func verdict(_ verdict: CaseVerdict) -> String {
    guard let refusal = verdict.refusal else { return "Verified" }
    return refusal.step.map { "Refused at step \($0)" } ?? "Refused"
  }
}

// MARK: The form

extension ExplanationPage {
  private static func form(_ form: ExplanationForm, action: String) -> String {
    """
    <form class="panel" method="post" action="\(action)#result">
    <div class="fields">
    <div>
    \(area(.artifact, "Artifact", form, rows: 9, hint: "JSON, hex, base64, base64url or PEM.", isRequired: true))
    <div class="choices">
    <div><label for="kind">Kind</label>
    <select id="kind" name="kind"><option value="">detect</option>\(kinds(form[.kind]))</select></div>
    <label class="check"><input type="checkbox" id="full" name="full" value="on"\(form[.full].isEmpty ? "" : " checked")> \
    Show long values in full</label>
    </div>
    </div>
    <fieldset>
    <legend>To verify a response</legend>
    \(area(.options, "Options that the server sent", form, rows: 4, hint: "The JSON with the challenge."))
    <div><label for="origin">Origin of the page</label>
    <input id="origin" name="origin" value="\(form[.origin].escapedForHTML)" autocomplete="off" autocapitalize="none" \
    spellcheck="false" aria-describedby="origin-hint">
    <p id="origin-hint" class="hint">Such as https://raxx.app. If it is empty, https:// and the RP ID.</p></div>
    \(area(.credential, "Stored credential, for a sign-in", form, rows: 2, hint: "Its COSE key in base64url or hex, or its record."))
    </fieldset>
    </div>
    <div class="actions"><button class="primary">Explain</button> <a class="button" href="\(action)">Clear</a></div>
    </form>

    """
  }

  private static func kinds(_ chosen: String) -> String {
    ArtifactKind.allCases.map { (kind) in
      "<option value=\"\(kind.rawValue)\"\(kind.rawValue == chosen ? " selected" : "")>\(kind.title)</option>"
    }.joined()
  }

  private static func area(
    _ field: ExplanationForm.Field, _ label: String, _ form: ExplanationForm, rows: Int, hint: String,
    isRequired: Bool = false
  ) -> String {
    // HTML drops the line feed after the tag.
    """
    <div><label for="\(field)">\(label)</label>
    <textarea id="\(field)" name="\(field)" rows="\(rows)"\(isRequired ? " required" : "") autocomplete="off" \
    autocapitalize="none" spellcheck="false" aria-describedby="\(field)-hint">
    \(form[field].escapedForHTML)</textarea>
    <p id="\(field)-hint" class="hint">\(hint)</p></div>
    """
  }
}

// MARK: The result

extension ExplanationPage {
  private static func result(_ explanation: Explanation, isFull: Bool) -> String {
    let parts = explanation.parts.enumerated().map { (index, part) in Self.part(part, index, isFull: isFull) }
    let omitted =
      explanation.omittedCount == 0
      ? ""
      : """
      <p class="warn notice">\(explanation.omittedCount) more cases are not shown. <code>passkey verify --explain</code> \
      prints them all.</p>

      """
    return """
      <div id="result" tabindex="-1">
      \(parts.joined())\(omitted)</div>

      """
  }

  private static func part(_ part: Explanation.Part, _ index: Int, isFull: Bool) -> String {
    let title = "<h2 id=\"part-\(index)\">\(HTML.visible(part.caseID ?? "Result"))</h2>"
    let content = "<h3>Content</h3>\n\(part.artifacts.map { artifact($0, isFull: isFull) }.joined())"
    let (advice, verification): (String, String) =
      switch part.verification {
      case .pending(let advice): ("<p class=\"empty\">\(HTML.visible(advice))</p>\n", "")
      case .impossible(let reason): ("", "<p class=\"warn notice\">Not verified: \(HTML.visible(reason))</p>\n")
      case .judged(let judged): ("", judgment(judged))
      }
    let panel = verification.isEmpty ? "" : "<div class=\"panel\">\n<h3>Verification</h3>\n\(verification)</div>\n"
    return """
      <section aria-labelledby="part-\(index)">
      \(title)
      \(advice)<div class="columns">
      \(panel)<div class="panel">
      \(content)</div>
      </div>
      </section>

      """
  }

  private static func artifact(_ artifact: Explanation.Artifact, isFull: Bool) -> String {
    switch artifact.content {
    case .inspected(let inspection):
      var problem = ""
      if let (path, first) = inspection.tree.firstProblem {
        let place = path.isEmpty ? "" : path.joined(separator: ".") + ": "
        let count = inspection.tree.problemCount
        let others = count == 1 ? "" : " More errors in the tree: \(count - 1)."
        problem = "<p class=\"bad notice\">\(HTML.visible(place + first.description))\(others)</p>\n"
      }
      return
        "<h4>\(artifact.title): \(inspection.kind.title)</h4>\n\(problem)\(ArtifactTree(inspection, isFull: isFull).html)"
    case .unreadable(let reason):
      return "<h4>\(artifact.title)</h4>\n<p class=\"bad notice\">\(HTML.visible(reason))</p>\n"
    }
  }

  private static func judgment(_ judgment: Explanation.Judgment) -> String {
    let verdict = judgment.verdict
    let notice =
      verdict.refusal.map { (refusal) in
        """
        <p class="bad notice"><strong>\(Self.verdict(verdict))</strong> \(HTML.visible(refusal.description))</p>

        """
      } ?? "<p class=\"good notice\"><strong>Verified</strong></p>\n"
    let end =
      verdict.refusal == nil || verdict.steps.isEmpty
      ? "" : "<p class=\"empty\">The ceremony ended here. Later steps were not reached.</p>\n"
    let facts = CeremonyReport.facts(of: verdict, isUserKnown: judgment.isUserKnown)
    return """
      \(notice)\(comparison(with: judgment.differences))\(list(judgment.assumptions, "plain"))\
      <p class="meta">\(HTML.visible(CeremonyReport.title(of: judgment.ceremony)))</p>
      <ol class="steps">
      \(verdict.steps.map(step).joined())</ol>
      \(end)\(facts.isEmpty ? "" : "<h4>Facts</h4>\n\(list(facts, "facts"))")
      """
  }

  private static func comparison(with differences: [String]?) -> String {
    guard let differences else { return "" }
    guard !differences.isEmpty else { return "<p class=\"empty\">As the case expects.</p>\n" }
    return "<p class=\"warn notice\">Not as the case expects.</p>\n\(list(differences, "facts"))"
  }

  private static func list(_ lines: [String], _ name: String) -> String {
    guard !lines.isEmpty else { return "" }
    return "<ul class=\"\(name)\">\n\(lines.map { "<li>\(HTML.visible($0))</li>\n" }.joined())</ul>\n"
  }

  private static func step(_ entry: SpecTrace.Entry) -> String {
    let (name, badge) =
      switch entry.outcome {
      case .passed: ("passed", "<span class=\"good badge\">passed</span>")
      case .failed(let code): ("failed", "<span class=\"bad badge\">failed</span> <code>\(code.rawValue)</code>")
      case .noted: ("noted", "<span class=\"badge\">no check</span>")
      }
    let values: [(String, String)] =
      switch (entry.comparison, entry.outcome) {
      case (nil, _): []
      case (let compared?, .failed): [("expected", compared.expected), ("received", compared.received)]
      case (let compared?, _): [("value", compared.received)]
      }
    let rows = values.map { (term, text) in "<dt>\(term)</dt><dd>\(HTML.visible(text))</dd>" }
    return """
      <li value="\(entry.step)" class="\(name)"><span class="title">\(HTML.visible(entry.title))</span> \(badge)\
      \(rows.isEmpty ? "" : "<dl>\(rows.joined())</dl>")</li>

      """
  }
}
