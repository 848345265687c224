// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypesStandIn
import HummingbirdStandIn
import LoggingStandIn
import NIOCoreStandIn
import Passkeys

/// Names of Hummingbird, unqualified. It compiles only if no name of `import Passkeys` makes one
/// ambiguous.
enum NamesOfHummingbird {
  typealias Name1 = Request
  typealias Name2 = Response
  typealias Name3 = HTTPRequest
  typealias Name4 = HTTPResponse
  typealias Name5 = HTTPFields
  typealias Name6 = HTTPField
  typealias Name7 = HTTPError
  typealias Name8 = RequestID
  typealias Name9 = Cookie
  typealias Name10 = ByteBuffer
  typealias Name11 = Logger
  typealias Name12 = any RequestContext
  typealias Name13 = any RemoteAddressRequestContext
  typealias Name14 = BasicRequestContext
  typealias Name15 = Router<BasicRequestContext>
}
