// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import Testing

struct LockedMemoryTests {
  @Test func `bytes are zero at first, kept, and wiped`() throws {
    let memory = try LockedMemory(byteCount: 100)
    #expect(memory.load(0..<100) == [UInt8](repeating: 0, count: 100))
    memory.store([1, 2, 3], at: 97)
    #expect(memory.load(96..<100) == [0, 1, 2, 3])
    memory.wipe(97..<99)
    #expect(memory.load(96..<100) == [0, 0, 0, 3])
  }

  @Test func `the kernel locks the memory, omits it from core files and guards both ends`() throws {
    let memory = try LockedMemory(byteCount: 5000)
    try withExtendedLifetime(memory) {
      let mappings = try mappings()
      let index = try #require(
        mappings.firstIndex { (mapping) in
          mapping.byteCount == 8192 && mapping.rights == "rw-p" && mapping.flags.contains("dd")
        })
      // Sanitizers skip the lock and report success.
      #expect(!mappings[index].flags.contains("lo") || memory.isLocked)
      #expect([mappings[index - 1].rights, mappings[index + 1].rights] == ["---p", "---p"])
    }
  }

  private struct Mapping {
    let byteCount: UInt64
    let rights: String
    var flags: [Substring] = []
  }

  /// The mappings of this process, from /proc/self/smaps.
  private func mappings() throws -> [Mapping] {
    let text = try #require(try OpenFile("/proc/self/smaps", .reading).readToEnd(limit: 64 << 20))
    var mappings: [Mapping] = []
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("VmFlags:") {
        mappings[mappings.count - 1].flags = line.dropFirst(8).split(separator: " ")
        continue
      }
      let words = line.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { (end) in UInt64(end, radix: 16) }
      guard ends.count == 2, words.count > 1 else { continue }
      mappings.append(Mapping(byteCount: ends[1] - ends[0], rights: String(words[1])))
    }
    return mappings
  }
}
