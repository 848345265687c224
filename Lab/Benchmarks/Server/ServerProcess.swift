// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// The built `passkey-server` in its own process, with its CPU time and memory.
final class ServerProcess {
  /// The server did not start, or exited with an error.
  struct Failed: Error {
    let reason: String
  }

  /// The listening port.
  let port: UInt16

  let identifier: pid_t
  private let messages: CInt
  private var hasStopped = false

  /// Starts a server on a free local port with additional options and variables (`NAME=VALUE`), and waits until it serves.
  init(_ options: [String], environment: [String] = []) throws {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failed(reason: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let words = ["\(builtProgramsFolder)/passkey-server", "serve", "--listen", "127.0.0.1:0"] + options
    identifier = try Self.start(words, environment, messages: ends[1])
    close(ends[1])
    messages = ends[0]
    var said: [UInt8] = []
    var found: UInt16?
    while found == nil {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(messages, &chunk, chunk.count)
      guard count > 0 else { break }
      said += chunk.prefix(count)
      found = Self.port(in: String(decoding: said, as: UTF8.self))
    }
    // If this throws, deinit stops the process.
    port = found ?? 0
    guard found != nil else { throw Failed(reason: String(decoding: said, as: UTF8.self)) }
  }

  deinit {
    if !hasStopped { _ = Self.end(identifier) }
    close(messages)
  }

  /// The user and system CPU time in seconds.
  var processorTime: Double { get throws { try ProcessReading.processorTime(of: identifier) } }

  /// The current and the peak resident memory in MiB.
  var memory: (resident: Double, most: Double) { get throws { try ProcessReading.memory(of: identifier) } }

  /// Stops the server and waits for its exit.
  func stop() throws {
    hasStopped = true
    let status = Self.end(identifier)
    guard status == 0 else { throw Failed(reason: "it exited with \(status)") }
  }

  private static func end(_ identifier: pid_t) -> CInt {
    kill(identifier, SIGTERM)
    var status: CInt = 0
    while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static func start(_ words: [String], _ environment: [String], messages: CInt) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) }
    let count = unsafe variables.count
    defer { unsafe variables.prefix(count).forEach { unsafe free($0) } }
    var inherited = unsafe environ
    while let variable = unsafe inherited.pointee {
      unsafe variables.append(variable)
      unsafe inherited += 1
    }
    unsafe variables.append(nil)
    var identifier: pid_t = 0
    guard unsafe posix_spawn(&identifier, words[0], &actions, nil, &arguments, &variables) == 0 else {
      throw Failed(reason: "\(words[0]) could not be started")
    }
    return identifier
  }

  /// Returns the port once the server has printed its address.
  private static func port(in said: String) -> UInt16? {
    guard said.hasSuffix("\n"),
      let line = said.split(separator: "\n").first(where: { $0.contains("http://") }),
      let digits = line.split(separator: ":").last
    else { return nil }
    return UInt16(digits)
  }
}
