// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import BrowserBridge

@Suite struct BrowserConnectionTests {
  @Test func `a browser that does not read its replies gets no further ones`() async throws {
    let world = try HostWorld()
    let (input, browserOutput) = try UnixSocket.pair()
    let (output, browserInput) = try UnixSocket.pair()
    let connection = try BrowserConnection(input: input, output: output, unwrittenLimit: 1 << 12)
    let host = world.host(sendingBy: connection)
    let serving = Task { () async -> BrowserError? in
      do throws(BrowserError) {
        try await connection.serve(host)
        return nil
      } catch {
        return error
      }
    }
    let request = try NativeMessages.encode([UInt8](#"{"type":"isUVPAA","id":1}"#.utf8))
    // Until the host reads no more. It reads all at once otherwise.
    let sent = try await waiting {
      var rest = request
      var count = 0
      while true {
        do throws(SystemError) {
          rest.removeFirst(try browserOutput.send(rest))
          if rest.isEmpty {
            count += 1
            rest = request
          }
        } catch {
          guard browserOutput.wait(for: .writing, until: .now + .seconds(1)) else { break }
        }
        try #require(count < 1_000_000)
      }
      return count
    }
    // Every request gets its reply in the end.
    let answered = try await waiting {
      var buffer = NativeMessageBuffer(limit: NativeMessages.maximumOutgoingByteCount)
      var count = 0
      while count < sent {
        buffer.append(try browserInput.read(upTo: 1 << 16))
        while try buffer.take() != nil { count += 1 }
      }
      browserOutput.shutDown(.both)
      return count
    }
    #expect(answered == sent)
    // The last request was sent in part.
    let error = await serving.value
    #expect(error == nil || error?.code == .messageTruncated)
    for descriptor in [input, output, browserInput, browserOutput] { descriptor.close() }
  }
}
