// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeySystem

/// Reads lines from a terminal with editing, or from any other standard input.
package final class LineEditor {
  /// The result of waiting for a line.
  package enum Outcome: Equatable, Sendable {
    case line(String)
    /// Ctrl-C; the line is discarded.
    case interrupted(isEmpty: Bool)
    /// Ctrl-D on an empty line, or the end of the input.
    case end
    /// The idle time-out has passed without a key.
    case idle
  }

  /// The idle time-out.
  private let idleLimit: Duration
  private let complete: (String) -> Completion
  private let isEditing: Bool
  private var history = LineHistory()
  private var decoder = KeyDecoder()
  private var unread: [UInt8] = []

  /// The interval at which prompt and notice are refreshed.
  private static let tick = Duration.milliseconds(250)

  /// Creates an editor. `complete` returns the completions of the text before the cursor.
  package init(idleLimit: Duration, complete: @escaping (String) -> Completion) {
    self.idleLimit = idleLimit
    self.complete = complete
    isEditing =
      FileDescriptor.standardInput.isTerminal && FileDescriptor.standardOutput.isTerminal
      && Environment.value("TERM") != "dumb"
  }

  /// Whether a user edits lines at a terminal.
  package var isInteractive: Bool { isEditing }

  /// Waits for a line. While waiting, the editor refreshes `prompt` regularly and shows the text of `notice` above the
  /// line.
  package func read(prompt: () -> String, notice: () -> String?) -> Outcome {
    guard isEditing, let raw = RawMode(STDIN_FILENO) else { return readPlain() }
    defer { raw.end() }
    var line = EditedLine()
    var shown = ""
    var lastKey = ContinuousClock.now
    while true {
      if let text = notice() {
        show("\r\u{1b}[K\(text)\r\n")
        shown = ""
      }
      let drawing = draw(line, prompt())
      if drawing != shown { show(drawing) }
      shown = drawing
      switch next(within: Self.tick) {
      case .byte(let byte):
        lastKey = .now
        if let key = decoder.take(byte), let outcome = press(key, &line, &shown) { return outcome }
      case .nothing where ContinuousClock.now - lastKey < idleLimit: continue
      case .nothing:
        show("\r\n")
        return .idle
      case .end:
        show("\r\n")
        return .end
      }
    }
  }

  private func press(_ key: Key, _ line: inout EditedLine, _ shown: inout String) -> Outcome? {
    switch key {
    case .enter:
      history.add(line.text)
      show("\r\n")
      return .line(line.text)
    case .interrupt:
      show("^C\r\n")
      return .interrupted(isEmpty: line.characters.isEmpty)
    case .endOfInput where line.characters.isEmpty:
      show("\r\n")
      return .end
    case .endOfInput: line.apply(.delete)
    case .up: if let older = history.older(than: line.text) { line = EditedLine(older) }
    case .down: if let newer = history.newer() { line = EditedLine(newer) }
    case .clearScreen:
      show("\u{1b}[H\u{1b}[2J")
      shown = ""
    case .tab: completeWord(of: &line, &shown)
    default: line.apply(key)
    }
    return nil
  }

  /// Inserts a single candidate. Of several candidates, inserts the common prefix or lists them.
  private func completeWord(of line: inout EditedLine, _ shown: inout String) {
    let words = complete(line.beginning).candidates.map(\.word)
    let typed = line.beginning.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard let first = words.first else { return }
    if words.count == 1 {
      line.insert(first.dropFirst(typed.count) + (first.hasSuffix("=") ? "" : " "))
      return
    }
    let common = words.dropFirst().reduce(first) { (common, word) in common.commonPrefix(with: word) }
    if common.count > typed.count {
      line.insert(String(common.dropFirst(typed.count)))
    } else {
      show("\r\n\(words.joined(separator: "  "))\r\n")
      shown = ""
    }
  }

  private func draw(_ line: EditedLine, _ prompt: String) -> String {
    let view = LineView(line, prompt: prompt, columns: TerminalWidth.columns(of: .standardOutput) ?? 80)
    let cursor = view.cursorColumn > 0 ? "\u{1b}[\(view.cursorColumn)C" : ""
    return "\r\(prompt)\(view.visible)\u{1b}[K\r\(cursor)"
  }

  private func show(_ text: String) {
    try? FileDescriptor.standardOutput.write([UInt8](text.utf8))
  }

  /// Reads a line without editing.
  private func readPlain() -> Outcome {
    var line: [UInt8] = []
    var waited = Duration.zero
    while true {
      switch next(within: Self.tick) {
      case .byte(UInt8(ascii: "\n")): return .line(String(decoding: line, as: UTF8.self))
      case .byte(let byte):
        waited = .zero
        if line.count < Self.maximumByteCount { line.append(byte) }
      case .nothing:
        waited += Self.tick
        if waited >= idleLimit { return .idle }
      case .end: return line.isEmpty ? .end : .line(String(decoding: line, as: UTF8.self))
      }
    }
  }

  // 1 MiB [a longer line is not a command]
  private static let maximumByteCount = 1 << 20

  private enum Arrival {
    case byte(UInt8)
    case nothing
    case end
  }

  private func next(within time: Duration) -> Arrival {
    if let byte = unread.popLast() { return .byte(byte) }
    guard FileDescriptor.standardInput.wait(for: .reading, until: .now + time) else { return .nothing }
    guard let chunk = try? FileDescriptor.standardInput.read(upTo: 4096) else { return .end }
    unread = chunk.reversed()
    return unread.popLast().map { .byte($0) } ?? .end
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
