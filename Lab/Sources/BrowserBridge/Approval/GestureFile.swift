// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// Reads answers from a file or a named pipe, one line for each question: `approve`, `refuse` or `choose 2`.
///
/// At the end of a file, and for any other line, the answer is a refusal. A named pipe has no end: the question waits.
package final class GestureFile: ApprovalSource {
  private let path: String
  private let cancellation: WakeUp
  private let state = Locked(State())

  fileprivate struct State {
    var file: OpenFile?
    var received: [UInt8] = []
  }

  // 1 KiB  [longer than any line; a file without line breaks was named by mistake]
  private static let maximumByteCount = 1024

  /// Uses the file at a path, which is opened at the first question.
  package init(path: String) throws(BrowserError) {
    self.path = path
    cancellation = try mapError(WakeUp()) { (error: SystemError) in
      BrowserError(.fileFailed, "cannot wait for \(path): \(error.message)")
    }
  }

  package func answer(to question: Question, in ceremony: Int64) async -> QuestionAnswer {
    let line = await SystemThread.run { [self] in nextLine() }
    guard let line else { return .refused }
    switch (line, question.kind) {
    case (.cancelled, _): return .cancelled
    case (.text("approve"), .create), (.text("approve"), .signIn), (.text("approve"), .revealExisting):
      return .approved
    case (.text(let text), .choose):
      let words = text.split(separator: " ")
      guard words.count == 2, words[0] == "choose", let number = Int(words[1]), number > 0 else { return .refused }
      return .chosen(number - 1)
    default: return .refused
    }
  }

  package func cancel() async {
    cancellation.ring()
  }

  private enum Line: Sendable {
    case text(String)
    case cancelled
    case end
  }

  private func nextLine() -> Line {
    // A cancellation without a pending question means nothing. A client repeats it until the device answers.
    cancellation.clear()
    while true {
      if let line = state.withLock({ (state) in state.takeLine() }) { return .text(line) }
      guard let file = try? openFile() else { return .end }
      let ready = FileDescriptor.wait(for: [(file.descriptor, .reading), (cancellation.descriptor, .reading)])
      if ready[1] {
        cancellation.clear()
        return .cancelled
      }
      guard let bytes = try? file.descriptor.read(upTo: Self.maximumByteCount), !bytes.isEmpty else { return .end }
      let isTooLong = state.withLock { (state) in
        state.received += bytes
        return state.received.count > Self.maximumByteCount && !state.received.contains(UInt8(ascii: "\n"))
      }
      if isTooLong { return .end }
    }
  }

  /// Opens the file once. A pipe is opened for writing too, so that it has no end between two writers. The file of another
  /// user approves nothing.
  private func openFile() throws(SystemError) -> OpenFile {
    if let file = state.withLock({ (state) in state.file }) { return file }
    let isPipe = try FileStatus(ofFileAt: path).kind == .pipe
    let file = try OpenFile(path, isPipe ? [.readingAndWriting, .notBlocking] : [.reading, .notBlocking])
    let status = try file.status
    guard status.isOwn, status.permissions & 0o022 == 0 else { throw .notPermitted }
    state.withLock { (state) in state.file = file }
    return file
  }
}

extension GestureFile.State {
  fileprivate mutating func takeLine() -> String? {
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = String(decoding: received[..<end], as: UTF8.self)
    received.removeFirst(end + 1)
    return line
  }
}
