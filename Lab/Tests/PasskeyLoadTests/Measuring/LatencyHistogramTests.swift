// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import PasskeyLoad

@Suite struct LatencyHistogramTests {
  @Test func `quantiles have three significant digits`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<50 {
      let scale = Int64(1) << Int64.random(in: 1...31, using: &generator)
      let values = (0..<500).map { (_) in Int64.random(in: 0...scale, using: &generator) }.sorted()
      var histogram = LatencyHistogram()
      for value in values.shuffled(using: &generator) { histogram.record(value) }
      for (share, index) in [(0.5, 249), (0.9, 449), (0.99, 494), (1, 499)] {
        let (found, wanted) = (Double(histogram.quantile(share)), Double(values[index]))
        #expect(found >= wanted && found <= wanted * 1.001 + 1)
      }
      #expect(histogram.maximum == values[499])
    }
  }

  @Test func `out-of-range durations count as the limits`() {
    var histogram = LatencyHistogram()
    for value in [Int64.min, -1, Int64.max] { histogram.record(value) }
    #expect(histogram.count == 3 && histogram.quantile(0.5) == 0)
    #expect(histogram.maximum == LatencyHistogram.highestTrackable)
    #expect(LatencyHistogram().quantile(0.99) == 0 && LatencyHistogram().mean == 0)
  }

  @Test func `adding histograms adds their durations`() {
    var (first, second, both) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
    for value in stride(from: Int64(0), to: 100_000, by: 77) {
      if value.isMultiple(of: 2) { first.record(value) } else { second.record(value) }
      both.record(value)
    }
    first.add(second)
    #expect(first.counts == both.counts && first.count == both.count && first.mean == both.mean)
    #expect(first.share(above: 50_000) > 0.49 && first.share(above: 50_000) < 0.51)
  }

  /// Decoded with the public HdrHistogram library for Python: 4 values, median 1,001, maximum 3,600,000,000.
  @Test func `the log has the form that HdrHistogram reads`() throws {
    var histogram = LatencyHistogram()
    for value in [1, 1_000, 100_000, 3_600_000_000] as [Int64] { histogram.record(value) }
    var log = HistogramLog(start: 1_800_000_000)
    log.add("sign-in", start: 0, length: 1, histogram)
    let line = try #require(log.text.split(separator: "\n").last)
    let cells = line.split(separator: ",").map(String.init)
    #expect(cells.dropLast() == ["Tag=sign-in", "0.000", "1.000", "3600000.000"])
    let bytes = try Base64.decode(cells[4])
    #expect(Hex.encode(bytes.prefix(4)) == "1c849314")
    // zlib: header, one stored block, the encoding with its payload, checksum.
    #expect(Hex.encode(bytes[8..<11]) == "780101")
    #expect(Hex.encode(bytes[15..<19]) == "1c849313")
    #expect(Self.counts(bytes[55..<(bytes.count - 4)]) == histogram.counts)
  }

  /// Decodes ZigZag LEB128: a negative number stands for that many zeros.
  private static func counts(_ bytes: ArraySlice<UInt8>) -> [Int64] {
    var counts: [Int64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      let value = Int64(number >> 1) ^ -Int64(number & 1)
      if value < 0 { counts += [Int64](repeating: 0, count: Int(-value)) } else { counts.append(value) }
      (number, shift) = (0, 0)
    }
    return counts
  }
}
