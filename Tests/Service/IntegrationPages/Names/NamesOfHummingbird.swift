// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypesStandIn
import HummingbirdStandIn
import LoggingStandIn
import NIOCoreStandIn
import Passkeys

/// Names of Hummingbird, unqualified. It compiles only if no name of `import Passkeys` makes one ambiguous.
enum NamesOfHummingbird {
  static let types: [Any.Type] = [
    Request.self, Response.self, HTTPRequest.self, HTTPResponse.self, HTTPFields.self, HTTPField.self,
    HTTPError.self, RequestID.self, Cookie.self, ByteBuffer.self, Logger.self, (any RequestContext).self,
    (any RemoteAddressRequestContext).self, BasicRequestContext.self, Router<BasicRequestContext>.self,
  ]
}
