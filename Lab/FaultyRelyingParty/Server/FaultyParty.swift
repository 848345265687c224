// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP

/// A small relying party with its accounts in memory. It does each check of the standard by hand, and omits those that its
/// faults name.
actor FaultyParty {
  let faults: Faults
  let settings: FaultyServer.Settings
  let origin: String
  var accounts: [[UInt8]: Account] = [:]
  var passkeys: [[UInt8]: Passkey] = [:]
  var sessions: [String: Session] = [:]
  var ceremonies: [[UInt8]: Ceremony] = [:]
  /// The ceremony of each purpose that began last.
  var newestCeremonies: [Purpose: Ceremony] = [:]
  var usedChallenges: Set<[UInt8]> = []
  var grants: [String: Grant] = [:]
  var newestSessionID: String?
  /// The session cookies of visitors who are not signed in.
  var anonymousTokens: Set<String> = []
  var tokenCount = 0
  /// The accounts that recovery codes recover, by the code.
  var recoveries: [String: [UInt8]] = [:]
  /// The code that was mailed last to each address.
  var mailedCodes: [String: String] = [:]
  var usedInvitations: Set<String> = []
  /// The key with which passkeys of unknown addresses are made.
  let decoyKey: [UInt8]
  /// The failed sign-ins of each client.
  var failures: [String: Failures] = [:]

  /// The ID of the relying party.
  static let id = "localhost"

  init(_ settings: FaultyServer.Settings, faults: Faults, origin: String) throws {
    decoyKey = try RandomSource.system.bytes(32)
    self.settings = settings
    self.faults = faults
    self.origin = origin
  }

  /// Answers a request that a handler throws a refusal for.
  func respond(
    to request: EndpointRequest,
    by handler: @Sendable (isolated FaultyParty, EndpointRequest) async throws -> EndpointResponse
  ) async -> EndpointResponse {
    do {
      try checkOrigin(of: request)
      return try await handler(self, request)
    } catch let refusal as Refusal {
      return refusal.response(to: request)
    } catch let error as EndpointError where error.code == .mediaTypeUnsupported {
      return Refusal(.unsupportedMediaType, error.code.rawValue).response(to: request)
    } catch {
      return Refusal(.badRequest, "request.malformed").response(to: request)
    }
  }

  /// Returns 32 random bytes as text.
  func makeToken() throws -> String { Base64URL.encode(try RandomSource.system.bytes(32)) }

  /// Refuses requests that a page of another site makes with the cookies of this one.
  private func checkOrigin(of request: EndpointRequest) throws {
    guard !request.method.isSafe, request.headers.has("cookie") else { return }
    let site = request.headers["sec-fetch-site"] ?? "none"
    let isForeignSite = !["same-origin", "none"].contains(site) && !faults.has("http.csrf-fetch-site")
    let sender = request.headers["origin"] ?? origin
    let isOpaque = sender == "null" && faults.has("http.csrf-fetch-site")
    let isForeignOrigin = sender != origin && !isOpaque && !faults.has("http.csrf-origin")
    guard !isForeignSite, !isForeignOrigin else { throw Refusal(.forbidden, "http.origin-refused") }
  }
}
