// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyProfiles
import PasskeySystem

@testable import PasskeyHTTP

/// The pairs of endpoint and status that occurred.
final class ObservedResponses: Sendable {
  struct Pair: Hashable, CustomStringConvertible {
    let endpoint: EndpointName
    let status: Int
    var description: String { "\(endpoint.rawValue) \(status)" }
  }

  private let pairs = Locked<Set<Pair>>([])
  private let codes = Locked<Set<String>>([])
  private let members = Locked<Set<String>>([])

  var all: Set<Pair> { pairs.withLock { $0 } }

  /// The codes of all problems.
  var allCodes: Set<String> { codes.withLock { $0 } }

  /// The members that occurred in responses, each with the name of its schema or endpoint.
  var allMembers: Set<String> { members.withLock { $0 } }

  func record(member: String) { members.withLock { _ = $0.insert(member) } }

  func record(code: String) { codes.withLock { _ = $0.insert(code) } }

  func record(_ endpoints: Endpoints, _ method: String, _ target: String, _ status: Int) {
    let path = target.split(separator: "?")[0]
    for (endpoint, contract) in endpoints.served where contract.method == method {
      guard Self.matches(path, contract.path) else { continue }
      pairs.withLock { _ = $0.insert(Pair(endpoint: endpoint.name, status: status)) }
    }
  }

  static func matches(_ path: Substring, _ pattern: String) -> Bool {
    let (parts, expected) = (path.split(separator: "/"), pattern.split(separator: "/"))
    return parts.count == expected.count && zip(parts, expected).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
  }
}
