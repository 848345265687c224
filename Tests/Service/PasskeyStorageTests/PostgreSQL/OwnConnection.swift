// SPDX-License-Identifier: Apache-2.0

import CPasskeyPostgreSQL
import PasskeyService
import PasskeyTestSupport

/// A libpq connection of an embedding server, with libpq's default settings.
@safe final class OwnConnection: @unchecked Sendable {  // Used by one thread at a time.
  let pointer: OpaquePointer

  private init(_ url: String) throws {
    guard let connection = unsafe PQconnectdb(url), unsafe PQstatus(connection) == CONNECTION_OK else {
      throw StorageError(.unavailable, "no connection")
    }
    unsafe pointer = connection
  }

  deinit {
    unsafe PQfinish(pointer)
  }

  static func open(_ url: String? = PostgreSQLServer.url) async throws -> OwnConnection {
    try await waiting { try OwnConnection(url ?? "") }
  }

  /// Runs statements, and returns the first value of the last result as text; nil without a row.
  @discardableResult
  func run(_ statements: String) async throws -> String? {
    try await waiting { [self] in
      let result = unsafe PQexec(pointer, statements)
      defer { unsafe PQclear(result) }
      let status = unsafe PQresultStatus(result)
      guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
        throw StorageError(.failed, unsafe String(cString: PQerrorMessage(pointer)))
      }
      guard unsafe PQntuples(result) > 0, let value = unsafe PQgetvalue(result, 0, 0) else { return nil }
      return unsafe String(cString: value)
    }
  }

  var isOpen: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }
  var isInPipeline: Bool { unsafe PQpipelineStatus(pointer) != PQ_PIPELINE_OFF }
  var isNonblocking: Bool { unsafe PQisnonblocking(pointer) == 1 }

  func enterPipeline() { unsafe PQenterPipelineMode(pointer) }
}
