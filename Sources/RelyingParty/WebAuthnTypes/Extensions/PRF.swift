// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// One or two inputs or outputs of a credential's pseudo-random function (WebAuthn §10.1.4).
///
/// The outputs are secrets and often serve as keys. They do not appear in descriptions or dumps.
public struct PRFValues: Hashable, Sendable {
  /// The first value.
  package var first: [UInt8]

  /// The second value, if any.
  package var second: [UInt8]?

  /// The length of an output, whatever the length of the input.
  package static let resultByteCount = 32

  /// Creates one or two values.
  public init(first: [UInt8], second: [UInt8]? = nil) {
    self.first = first
    self.second = second
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    first = try members.byteArray("first")
    second = try members.byteArrayIfPresent("second")
  }

  init(results members: ExtensionMembers) throws(FormatError) {
    first = try members.byteArray("first", count: Self.resultByteCount)
    second = try members.byteArrayIfPresent("second", count: Self.resultByteCount)
  }

  /// The values as a JSON value.
  package var value: ExtensionValue {
    .object(ofPresent: ["first": .base64URL(first), "second": second.map { .base64URL($0) }])
  }
}

extension PRFValues: CustomStringConvertible, CustomReflectable {
  /// The number of values, without the values.
  public var description: String { second == nil ? "one value" : "two values" }

  /// An empty mirror, so that `dump` does not reveal the secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The input of the extension `prf` (WebAuthn §10.1.4).
package struct PRFInputs: Hashable, Sendable {
  /// The inputs for any credential that is not listed in ``byCredential``.
  package var evaluating: PRFValues?

  /// The inputs for specific credentials. Only valid for a sign-in that lists credentials.
  package var byCredential: [CredentialID: PRFValues]

  /// Creates an input. Without values, a registration asks only whether the credential has a pseudo-random function.
  package init(evaluating: PRFValues? = nil, byCredential: [CredentialID: PRFValues] = [:]) {
    self.evaluating = evaluating
    self.byCredential = byCredential
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    evaluating = if let values = try members.objectIfPresent("eval") { try PRFValues(values) } else { nil }
    byCredential = [:]
    guard let records = try members.objectIfPresent("evalByCredential") else { return }
    for name in records.values.keys {
      guard let id = Self.credentialID(name), let values = try records.objectIfPresent(name),
        byCredential.updateValue(try PRFValues(values), forKey: id) == nil
      else { throw records.invalid(name) }
    }
  }

  /// The input as a JSON value.
  package var value: ExtensionValue {
    var records: [String: ExtensionValue] = [:]
    for (id, values) in byCredential { records[Base64URL.encode(id.bytes)] = values.value }
    return .object(
      ofPresent: ["eval": evaluating?.value, "evalByCredential": records.isEmpty ? nil : .object(records)])
  }

  /// Decodes a key of `evalByCredential` (§10.1.4); nil if it is empty or not base64url.
  private static func credentialID(_ name: String) -> CredentialID? {
    guard let bytes = try? Base64URL.decode(name) else { return nil }
    return try? CredentialID(bytes)
  }
}

/// The client's output of the extension `prf` (WebAuthn §10.1.4).
package struct PRFOutputs: Hashable, Sendable {
  /// Whether the new credential has a pseudo-random function; only present at a registration.
  package var isEnabled: Bool?

  /// The results, 32 bytes for each input. A registration returns them only if the authenticator supports that. A page
  /// that uses them as keys does not send them to its server.
  package var results: PRFValues?

  /// Creates an output.
  package init(isEnabled: Bool? = nil, results: PRFValues? = nil) {
    self.isEnabled = isEnabled
    self.results = results
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    isEnabled = try members.boolIfPresent("enabled")
    results = if let values = try members.objectIfPresent("results") { try PRFValues(results: values) } else { nil }
  }

  /// The output as a JSON value.
  package var value: ExtensionValue {
    .object(ofPresent: ["enabled": isEnabled.map { .bool($0) }, "results": results?.value])
  }
}

extension PRFOutputs: CustomStringConvertible {
  /// A summary without the results.
  package var description: String {
    let parts = [isEnabled.map { $0 ? "enabled" : "not enabled" }, results.map { "\($0)" }].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
