// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// The file or syslog socket of the audit log. Its methods block: call them outside the cooperative pool.
final class AuditLogSink: Sendable {
  private struct State {
    var descriptor: Int32 = -1
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
    close(state.withLock { $0.descriptor })
  }

  /// Reopens the file, for example after a rotation. A socket reconnects on the next write.
  func reopen() throws(SystemError) {
    let new: Int32 = if case .file(let path) = target { try Self.open(path) } else { -1 }
    let old = state.withLock { (state) in
      defer { state = State(descriptor: new) }
      return state.descriptor
    }
    if old >= 0 { close(old) }
  }

  /// Writes complete lines, first to last, and returns how many. If that is fewer than given, a write failed, and the
  /// next call throws the error.
  func write(_ lines: [[UInt8]]) throws(SystemError) -> Int {
    try state.withLock { (state) throws(SystemError) in
      switch target {
      case .file(let path):
        if state.descriptor < 0 { state.descriptor = try Self.open(path) }
        return try Self.append(lines, &state)
      case .syslog(let socket):
        return try Self.send(lines, to: socket, &state)
      }
    }
  }

  /// Returns the number of the last record or head in the file, or nil for a socket or an empty file.
  func lastNumber() throws(SystemError) -> Int64? {
    guard case .file(let path) = target else { return nil }
    return try state.withLock { (state) throws(SystemError) in
      if state.descriptor < 0 { state.descriptor = try Self.open(path) }
      var status = stat()
      guard unsafe fstat(state.descriptor, &status) == 0 else { throw SystemError(number: errno) }
      let start = max(0, Int64(status.st_size) - Int64(Self.tailByteCount))
      var tail = [UInt8](repeating: 0, count: Int(clamping: Int64(status.st_size) - start))
      let count = unsafe pread(state.descriptor, &tail, tail.count, off_t(start))
      guard count >= 0 else { throw SystemError(number: errno) }
      tail = Array(tail.prefix(count))
      state.isWithinLine = tail.last.map { $0 != Self.lineFeed } ?? false
      let lines = tail.split(separator: Self.lineFeed)
      for line in lines.dropLast(state.isWithinLine ? 1 : 0).reversed() {
        if let number = try? JSON.parse(Array(line))["number"]?.integer(Int64.self) { return number }
      }
      return nil
    }
  }

  // MARK: A file

  private static func open(_ path: String) throws(SystemError) -> Int32 {
    let number = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemError(number: errno) }
    return number
  }

  private static func append(_ lines: [[UInt8]], _ state: inout State) throws(SystemError) -> Int {
    var text = (state.isWithinLine ? [lineFeed] : []) + lines.flatMap { $0 }
    let prefix = state.isWithinLine ? 1 : 0
    var written = 0
    while written < text.count {
      let count = unsafe Glibc.write(state.descriptor, Array(text[written...]), text.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    let reason = errno
    state.isWithinLine = written > 0 ? text[written - 1] != lineFeed : state.isWithinLine
    text = Array(text[min(prefix, written)..<written])
    let whole = text.count { $0 == lineFeed }
    if whole == 0, !lines.isEmpty { throw SystemError(number: reason) }
    return whole
  }

  // MARK: A socket

  /// Sends one datagram per line, in the format of syslog(3): facility authpriv, severity notice.
  private static func send(_ lines: [[UInt8]], to socket: String, _ state: inout State) throws(SystemError) -> Int {
    if state.descriptor < 0 { state.descriptor = try connect(to: socket) }
    let head = [UInt8]("<\(facility << 3 | severity)>passkey-server[\(getpid())]: ".utf8)
    for (index, line) in lines.enumerated() {
      let datagram = head + line.dropLast()
      let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
      let sent = unsafe Glibc.send(state.descriptor, datagram, datagram.count, flags)
      guard sent < 0 else { continue }
      let reason = errno
      if reason != EAGAIN {
        // The daemon was restarted: the next write connects to its new socket.
        close(state.descriptor)
        state.descriptor = -1
      }
      if index == 0 { throw SystemError(number: reason) }
      return index
    }
    return lines.count
  }

  private static func connect(to path: String) throws(SystemError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw SystemError(number: ENAMETOOLONG) }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { (place) in unsafe place.copyBytes(from: bytes) }
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError(number: errno) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafePointer(to: address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe Glibc.connect(number, address, length)
      }
    }
    guard status == 0 else {
      let reason = errno
      close(number)
      throw SystemError(number: reason)
    }
    return number
  }

  // 64 KiB [about a hundred records; only the last line is needed]
  private static let tailByteCount = 1 << 16

  private static let facility: Int32 = 10  // authpriv
  private static let severity: Int32 = 5  // notice
  private static let lineFeed = UInt8(ascii: "\n")
}
