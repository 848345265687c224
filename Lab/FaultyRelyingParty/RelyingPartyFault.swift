// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

/// A defect that the relying party can be started with.
///
/// Its ID is that of the audit check that finds it. If a check has several defects to find, each has a variant:
/// `session.cookie-attributes/secure`.
package struct RelyingPartyFault: Hashable, Sendable {
  /// The ID of the check, with the variant after a slash if there is one.
  package let id: String

  /// The behavior of the relying party with the fault.
  package let behavior: String

  /// The ID of the check that finds the fault.
  package var check: String { String(id.prefix { $0 != "/" }) }

  /// All faults.
  package static let all =
    registration + authentication + state + session + stepUp + management + limits + enumeration + http + documents

  static func list(_ behaviors: KeyValuePairs<String, String>) -> [RelyingPartyFault] {
    behaviors.map { RelyingPartyFault(id: $0.key, behavior: $0.value) }
  }
}

/// The faults that a relying party was started with.
struct Faults: Sendable {
  let ids: Set<String>

  /// Whether the relying party has this fault.
  func has(_ id: String) -> Bool {
    assert(Self.known.contains(id), "\(id) is not in the list of faults")
    return ids.contains(id)
  }

  /// Refuses the request unless `holds` is true. With the fault `id`, the statement is not evaluated.
  func require(
    _ id: String, _ code: String, _ holds: @autoclosure () throws -> Bool
  ) throws {
    guard !has(id) else { return }
    guard (try? holds()) == true else { throw Refusal(.badRequest, code) }
  }

  private static let known = Set(RelyingPartyFault.all.map(\.id))
}
