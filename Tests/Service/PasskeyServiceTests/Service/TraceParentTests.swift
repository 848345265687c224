// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import Testing

struct TraceParentTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let span = "b7ad6b7169203331"

  @Test(arguments: [
    "00-\(trace)-\(span)-01", "00-\(trace)-\(span)-ff", "01-\(trace)-\(span)-00", "fe-\(trace)-\(span)-01-more",
  ])
  func `a valid header is taken as it is`(_ text: String) throws {
    let parent = try #require(TraceParent(text))
    #expect(parent.description == text && parent.traceID == Self.trace)
  }

  @Test(arguments: [
    "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-more",
    "01-\(trace)-\(span)-01more", "ff-\(trace)-\(span)-01", "00-\(trace.uppercased())-\(span)-01",
    "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-\(String(repeating: "0", count: 16))-01",
    "00_\(trace)-\(span)-01", "00-\(trace)-\(span)-0g", " 00-\(trace)-\(span)-01", "01-\(trace)-\(span)-01-\n",
    "01-\(trace)-\(span)-01-é", "01-\(trace)-\(span)-01-" + String(repeating: "a", count: 500),
  ])
  func `an invalid header is ignored`(_ text: String) {
    #expect(TraceParent(text) == nil)
  }
}
