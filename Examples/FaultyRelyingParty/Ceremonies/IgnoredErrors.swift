// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

/// Errors of parsers, by the text of their code, and the faults that ignore them.
private let ignorable: KeyValuePairs<String, String> = [
  "client-data.missing-member (type)": "type-missing",
  "client-data.missing-member (challenge)": "challenge-missing",
  "client-data.missing-member (origin)": "origin-missing",
  "json.duplicate-name": "client-data-duplicate",
  "client-data.malformed": "client-data-not-json",
  "authenticator-data.malformed-extensions": "extension-flag",
  "authenticator-data.truncated": "authenticator-data-cut",
  "authenticator-data.trailing-bytes": "authenticator-data-trailing",
  "authenticator-data.malformed-key": "key-cut",
  "response.unknown-type": "credential-type",
  "response.id-mismatch": "ids-disagree",
  "response.missing-member (response.clientDataJSON)": "member-missing",
  "(response.clientDataJSON): json.wrong-type": "member-type",
  "(response.clientDataJSON): base64": "member-encoding",
  "response.invalid-member (response):": "response-type",
  "cose.key-type-mismatch": "key-type",
  "cose.invalid-modulus": "key-weak",
  "cose.not-a-map": "key-malformed",
  "credential-id.invalid-length": "credential-id-long",
  "registration.credential-missing": "credential-missing",
  "attestation-object.malformed: cbor.trailing": "attestation-object-trailing",
  "attestation-object.malformed": "attestation-object-cut",
  "attestation-object.trailing-bytes": "attestation-object-trailing",
  "authentication.failed": "credential-unknown",
]

/// Malformed input to which the fault responds with an internal error.
private let failing: Set = [
  "client-data-not-json", "authenticator-data-cut", "key-cut", "key-malformed", "attestation-object-cut",
  "member-missing", "member-type", "member-encoding", "response-type", "member-oversized",
]

extension FaultyParty {
  /// Whether a fault ignores an error.
  ///
  /// - Throws: A refusal with status 500, if the fault fails instead.
  func isIgnored(_ error: any Error, in request: HTTPRequest, _ group: String) throws -> Bool {
    let text = (error as? Refusal)?.code ?? "\(error)"
    // 32 KiB [no valid response is as large]
    let isLarge = request.body.count > 1 << 15
    guard let name = isLarge ? "member-oversized" : ignorable.first(where: { text.contains($0.key) })?.value,
      faults.ids.contains("\(group).\(name)")
    else { return false }
    guard !failing.contains(name) else { throw Refusal(.internalServerError, "server.failed") }
    return true
  }
}
