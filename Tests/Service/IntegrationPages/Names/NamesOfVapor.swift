// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoggingStandIn
import NIOCoreStandIn
import NIOHTTP1StandIn
import Passkeys
import VaporStandIn

/// Names of Vapor, unqualified. It compiles only if no name of `import Passkeys` makes one
/// ambiguous.
enum NamesOfVapor {
  typealias Name1 = Request
  typealias Name2 = Response
  typealias Name3 = Session
  typealias Name4 = SessionID
  typealias Name5 = HTTPServer
  typealias Name6 = Route
  typealias Name7 = Storage
  typealias Name8 = HTTPStatus
  typealias Name9 = HTTPHeaders
  typealias Name10 = HTTPMethod
  typealias Name11 = Abort
  typealias Name12 = URI
  typealias Name13 = Application
  typealias Name14 = any Authenticatable
  typealias Name15 = any RoutesBuilder
  typealias Name16 = ByteBuffer
  typealias Name17 = Logger
}
