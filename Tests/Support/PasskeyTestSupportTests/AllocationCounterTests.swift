// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@Suite(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
struct AllocationCounterTests {
  @Test(arguments: [1_000, 100_000, 10_000_000])
  func `an array's bytes are counted, with its header`(size: Int) {
    let bytes = AllocationCounter.bytes { [UInt8](repeating: 1, count: size) }
    #expect((size...size + 64).contains(bytes), "\(bytes)")
  }

  @Test func `work that allocates nothing counts nothing`() {
    let array = [UInt8](repeating: 1, count: 1_000)
    _ = array[10...].prefix(100)  // The first use of a generic type makes the type.
    #expect(AllocationCounter.bytes { array[10...].prefix(100) } == 0)
    #expect(AllocationCounter.calls { array[10...].prefix(100) } == 0)
  }

  @Test func `a class instance counts as one call`() {
    final class Instance { var number = Int.random(in: 0...9) }
    _ = Instance()  // The first one of a class also makes the class.
    #expect(AllocationCounter.calls { Instance() } == 1)
  }

  @Test func `a growing array is counted at each reallocation`() {
    let bytes = AllocationCounter.bytes {
      var array: [UInt8] = []
      for number in 0..<100_000 { array.append(UInt8(truncatingIfNeeded: number)) }
      return array
    }
    #expect(bytes > 150_000)
  }

  @Test func `allocations of other threads are not counted`() async {
    let elsewhere = Task.detached { [UInt8](repeating: 1, count: 5_000_000).count }
    let bytes = AllocationCounter.bytes { [UInt8](repeating: 1, count: 1_000) }
    #expect(bytes < 2_000)
    #expect(await elsewhere.value == 5_000_000)
  }
}
