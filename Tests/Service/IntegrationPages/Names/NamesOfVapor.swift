// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoggingStandIn
import NIOCoreStandIn
import NIOHTTP1StandIn
import Passkeys
import VaporStandIn

/// Names of Vapor, unqualified. It compiles only if no name of `import Passkeys` makes one ambiguous.
enum NamesOfVapor {
  static let types: [Any.Type] = [
    Request.self, Response.self, Session.self, SessionID.self, HTTPServer.self, Route.self, Storage.self,
    HTTPStatus.self, HTTPHeaders.self, HTTPMethod.self, Abort.self, URI.self, Application.self,
    (any Authenticatable).self, (any RoutesBuilder).self, ByteBuffer.self, Logger.self,
  ]
}
