// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCoreStandIn
import NIOHTTP1StandIn
import Passkeys

/// Names of SwiftNIO, unqualified. It compiles only if no name of `import Passkeys` makes one ambiguous.
enum NamesOfSwiftNIO {
  static let types: [Any.Type] = [
    HTTPHeaders.self, HTTPMethod.self, HTTPVersion.self, HTTPRequestHead.self, HTTPResponseHead.self,
    HTTPResponseStatus.self, ByteBuffer.self, SocketAddress.self, IOData.self, (any Channel).self,
  ]
}
