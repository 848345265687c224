// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
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

/// Members of responses, with the beginning of the IDs of the faults that fail for malformed and oversized values.
private let members: KeyValuePairs<String, String> = [
  "response.clientDataJSON": "client-data", "response.attestationObject": "attestation-object",
  "response.authenticatorData": "authenticator-data", "response.signature": "signature",
  "response.userHandle": "user-handle", "id": "id", "rawId": "raw-id", "clientExtensionResults": "extension-results",
]

extension FaultyParty {
  /// Whether a fault ignores an error.
  ///
  /// - Throws: A refusal with status 500, if the fault fails instead.
  func isIgnored(_ error: any Error, in request: EndpointRequest, _ group: String) throws -> Bool {
    let text = (error as? Refusal)?.code ?? "\(error)"
    // 32 KiB [no valid response is as large]
    let isLarge = request.body.count > 1 << 15
    let names = isLarge ? Self.oversized(request) : Self.malformed(text)
    guard let name = names.first(where: { faults.ids.contains("\(group).\($0)") }) else { return false }
    let fails = failing.contains(name) || name.hasSuffix("-malformed") || name.hasSuffix("-oversized")
    guard !fails else { throw Refusal(.internalServerError, "server.failed") }
    return true
  }

  /// Returns the names of the faults that a parser's error may be about.
  private static func malformed(_ text: String) -> [String] {
    let own = members.filter { text.contains("(\($0.key))") }.map { "\($0.value)-malformed" }
    return own + [ignorable.first { text.contains($0.key) }?.value].compactMap(\.self)
  }

  /// Returns the names of the faults that the large members of a request may be about.
  private static func oversized(_ request: EndpointRequest) -> [String] {
    guard let credential = try? CeremonyBody(request).credential else { return [] }
    func isLarge(_ path: String) -> Bool {
      var value: JSONValue? = credential
      for name in path.split(separator: ".") { value = (try? value?[String(name)]) ?? nil }
      // 16 KiB [in base64url]
      return ((try? value?.string) ?? nil).map { $0.utf8.count > 16_384 } ?? false
    }
    return members.filter { isLarge($0.key) }.map { (member) in
      let hasGeneralName = ["response.attestationObject", "response.signature"].contains(member.key)
      return hasGeneralName ? "member-oversized" : "\(member.value)-oversized"
    }
  }
}
