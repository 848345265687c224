// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCoreStandIn
import NIOHTTP1StandIn
import Passkeys

/// Names of SwiftNIO, unqualified. It compiles only if no name of `import Passkeys` makes one
/// ambiguous.
enum NamesOfSwiftNIO {
  typealias Name1 = HTTPHeaders
  typealias Name2 = HTTPMethod
  typealias Name3 = HTTPVersion
  typealias Name4 = HTTPRequestHead
  typealias Name5 = HTTPResponseHead
  typealias Name6 = HTTPResponseStatus
  typealias Name7 = ByteBuffer
  typealias Name8 = SocketAddress
  typealias Name9 = IOData
  typealias Name10 = any Channel
}
