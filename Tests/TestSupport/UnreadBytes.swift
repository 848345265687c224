// SPDX-License-Identifier: Apache-2.0

/// The bytes that a stopped server has not read yet, from /proc/net/tcp.
public enum UnreadBytes {
  /// Waits until a connection to this loopback port has bytes that its server has not read. Returns false if no bytes arrive
  /// within the limit of ``HangGuard``.
  public static func wait(atPort port: String) throws -> Bool {
    guard let number = UInt16(port) else { return false }
    let hex = String(number, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
    return try HangGuard.waits { () throws -> Bool in
      // proc_net_tcp: local address, remote address, state (01: established), transmit and receive queue.
      let table = String(decoding: try File.bytes("/proc/net/tcp"), as: UTF8.self)
      return table.split(separator: "\n").dropFirst().contains { line in
        let fields = line.split(separator: " ")
        guard fields.count > 4, fields[1].hasSuffix(suffix), fields[3] == "01" else { return false }
        return fields[4].split(separator: ":").last?.contains { $0 != "0" } == true
      }
    }
  }
}
