// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// Counts instructions and system calls of processes with `perf stat`.
///
/// A virtual machine may have no counter of instructions, and the kernel may refuse both to users. What is not counted is nil.
@safe final class EventCounter {
  /// The counted events.
  struct Events {
    /// Instructions in user space.
    var instructions: Double?
    var systemCalls: Double?
  }

  private let input: UnsafeMutablePointer<FILE>
  private let output: String
  private var isOpen = true

  private static let instructions = "instructions:u"
  private static let systemCalls = "raw_syscalls:sys_enter"

  /// Begins to count.
  ///
  /// - Parameters:
  ///   - processes: The processes, with all their threads.
  ///   - folder: A folder for temporary files.
  ///   - name: The start of their names.
  /// - Throws: ``ShellCommand/Failed`` if no shell starts.
  init(of processes: [pid_t], in folder: String, _ name: String) throws {
    output = "\(folder)/\(name)-events"
    let ready = "\(folder)/\(name)-ready"
    unsafe unlink(ready)
    unsafe unlink(output)
    let touch = "touch \(ShellCommand.quoted(ready))"
    let list = processes.map { "\($0)" }.joined(separator: ",")
    // perf counts until its command ends, which is when its input is closed.
    let command =
      "perf stat -x , -e \(Self.instructions),\(Self.systemCalls) -p \(list) -o \(ShellCommand.quoted(output)) -- "
      + "sh -c \(ShellCommand.quoted("\(touch); cat")) >/dev/null 2>&1 || \(touch)"
    fflush(nil)
    guard let input = unsafe popen(command, "we") else { throw ShellCommand.Failed(command: command, status: errno) }
    unsafe self.input = input
    while unsafe access(ready, F_OK) != 0 { usleep(1000) }
  }

  deinit {
    if isOpen { unsafe pclose(input) }
  }

  /// Stops counting and returns the events.
  func stop() -> Events {
    isOpen = false
    unsafe pclose(input)
    let lines = String(decoding: (try? File.bytes(output)) ?? [], as: UTF8.self).split(separator: "\n")
    // NUMBER,UNIT,EVENT,…
    func count(_ event: String) -> Double? {
      lines.first { $0.contains(",\(event),") }?.split(separator: ",", omittingEmptySubsequences: false).first
        .flatMap { Double($0) }
    }
    return Events(instructions: count(Self.instructions), systemCalls: count(Self.systemCalls))
  }
}
