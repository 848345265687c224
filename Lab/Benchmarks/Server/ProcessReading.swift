// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// The figures that the kernel has about a process.
enum ProcessReading {
  /// A process has ended, or its figures have an unknown form.
  struct Failed: Error {
    let process: pid_t
  }

  /// Returns the user and system CPU time in seconds.
  static func processorTime(of process: pid_t) throws -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(process, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      throw Failed(process: process)
    }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the CPU time of children that have ended, in seconds.
  static func processorTimeOfEndedChildren(of process: pid_t) throws -> Double {
    let fields = try fields(of: process)
    return (fields[13] + fields[14]) / ticksPerSecond
  }

  /// Returns the number of context switches of all threads that run.
  static func contextSwitches(of process: pid_t) throws -> Double {
    try File.names(in: "/proc/\(process)/task").reduce(0) { (sum, thread) in
      // A thread may have ended.
      let status = (try? File.bytes("/proc/\(process)/task/\(thread)/status")) ?? []
      let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
      return lines.filter { $0.contains("ctxt_switches:") }.reduce(sum) { (sum, line) in
        sum + (line.split { $0 == "\t" || $0 == " " }.last.flatMap { Double($0) } ?? 0)
      }
    }
  }

  /// Returns the children of a process.
  static func children(of process: pid_t) throws -> [pid_t] {
    try File.names(in: "/proc").compactMap { pid_t($0) }.filter { (other) in
      (try? fields(of: other))?[1] == Double(process)
    }
  }

  /// Returns the current and the peak resident memory in MiB.
  static func memory(of process: pid_t) throws -> (resident: Double, most: Double) {
    let lines = String(decoding: try File.bytes("/proc/\(process)/status"), as: UTF8.self).split(separator: "\n")
    func mebibytes(_ name: String) throws -> Double {
      guard let line = lines.first(where: { $0.hasPrefix(name) }),
        let number = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
        let kibibytes = Double(number)
      else { throw Failed(process: process) }
      return kibibytes / 1024
    }
    return (try mebibytes("VmRSS:"), try mebibytes("VmHWM:"))
  }

  /// Returns the fields of `stat` behind the name. The state, which is a letter, becomes 0.
  private static func fields(of process: pid_t) throws -> [Double] {
    let text = String(decoding: try File.bytes("/proc/\(process)/stat"), as: UTF8.self)
    // The name is in parentheses and may contain any character; the state follows it.
    let fields = text.split(separator: ")").last?.split(separator: " ").map { Double($0) ?? 0 } ?? []
    guard fields.count > 14 else { throw Failed(process: process) }
    return fields
  }

  private static let ticksPerSecond = Double(sysconf(CInt(_SC_CLK_TCK)))
}
