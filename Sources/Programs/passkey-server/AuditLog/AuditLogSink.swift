// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// The file or syslog socket of the audit log. Its methods block: call them outside the cooperative pool.
final class AuditLogSink: Sendable {
  private struct State {
    var file: OpenFile?
    var socket: FileDescriptor?
    /// The last write ended within a line. The partial line is left as it is.
    var isWithinLine = false
  }

  let target: AuditLogTarget
  private let state = Locked(State())

  /// Creates a sink. It opens its target on the first write.
  init(_ target: AuditLogTarget) {
    self.target = target
  }

  deinit {
    state.withLock { $0.socket }?.close()
  }

  /// Reopens the file, for example after a rotation. A socket reconnects on the next write.
  func reopen() throws(SystemError) {
    let file: OpenFile? = if case .file(let path) = target { try Self.open(path) } else { nil }
    state.withLock { (state) in
      state.socket?.close()
      state = State(file: file)
    }
  }

  /// Writes complete lines, first to last, and returns how many. If that is fewer than given, a write failed, and the
  /// next call throws the error.
  func write(_ lines: [[UInt8]]) throws(SystemError) -> Int {
    try state.withLock { (state) throws(SystemError) in
      switch target {
      case .file(let path): try Self.append(lines, to: Self.file(path, &state), &state)
      case .syslog(let socket): try Self.send(lines, to: socket, &state)
      }
    }
  }

  /// Returns the number in the last line of the file that has one, or nil for a socket or an empty file.
  func lastNumber() throws(SystemError) -> Int64? {
    guard case .file(let path) = target else { return nil }
    return try state.withLock { (state) throws(SystemError) in
      let tail = try Self.file(path, &state).readTail(limit: Self.tailByteCount)
      state.isWithinLine = tail.last.map { $0 != Self.lineFeed } ?? false
      let lines = tail.split(separator: Self.lineFeed)
      for line in lines.dropLast(state.isWithinLine ? 1 : 0).reversed() {
        if let number = try? JSON.parse(Array(line))["number"]?.integer(Int64.self) { return number }
      }
      return nil
    }
  }

  // MARK: A file

  private static func file(_ path: String, _ state: inout State) throws(SystemError) -> OpenFile {
    if let file = state.file { return file }
    let file = try open(path)
    state.file = file
    return file
  }

  private static func open(_ path: String) throws(SystemError) -> OpenFile {
    try OpenFile(path, [.readingAndWriting, .creating, .appending])
  }

  private static func append(_ lines: [[UInt8]], to file: OpenFile, _ state: inout State) throws(SystemError) -> Int {
    // Start a new line after a partially written one.
    let prefix = state.isWithinLine ? [lineFeed] : []
    let text = prefix + lines.flatMap { $0 }
    var written = 0
    defer {
      if written > 0 { state.isWithinLine = text[written - 1] != lineFeed }
    }
    do throws(SystemError) {
      try file.write(text, counting: &written)
      return lines.count
    } catch {
      let wholeCount = text[min(prefix.count, written)..<written].count { $0 == lineFeed }
      if wholeCount == 0 { throw error }
      return wholeCount
    }
  }

  // MARK: A socket

  /// Sends one datagram per line, in the format of syslog(3): facility authpriv, severity notice.
  private static func send(_ lines: [[UInt8]], to path: String, _ state: inout State) throws(SystemError) -> Int {
    let socket = if let socket = state.socket { socket } else { try UnixSocket.connect(to: path, .datagram) }
    state.socket = socket
    let head = [UInt8]("<\(facility << 3 | severity)>passkey-server[\(getpid())]: ".utf8)
    for (index, line) in lines.enumerated() {
      do throws(SystemError) {
        _ = try socket.send(head + line.dropLast())
      } catch {
        if error != .wouldBlock {
          // The daemon was restarted: the next write connects to its new socket.
          socket.close()
          state.socket = nil
        }
        if index == 0 { throw error }
        return index
      }
    }
    return lines.count
  }

  // 64 KiB [about a hundred records; only the last line is needed]
  private static let tailByteCount = 1 << 16

  private static let facility: Int32 = 10  // authpriv
  private static let severity: Int32 = 5  // notice
  private static let lineFeed = UInt8(ascii: "\n")
}
