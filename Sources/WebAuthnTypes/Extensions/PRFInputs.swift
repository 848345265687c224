// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What the extension `prf` is asked (WebAuthn §10.1.4).
public struct PRFInputs: Hashable, Sendable {
  /// What to evaluate with whichever credential it will be.
  public var evaluating: PRFValues?

  /// What to evaluate with certain credentials instead. Only for a sign-in that names credentials.
  public var byCredential: [CredentialID: PRFValues]

  /// Takes the inputs. Without any, a registration asks whether there is such a function at all.
  public init(evaluating: PRFValues? = nil, byCredential: [CredentialID: PRFValues] = [:]) {
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

  /// The inputs as JSON has them.
  public var value: ExtensionValue {
    var records: [String: ExtensionValue] = [:]
    for (id, values) in byCredential { records[Base64URL.encode(id.bytes)] = values.value }
    return .object(
      ofPresent: ["eval": evaluating?.value, "evalByCredential": records.isEmpty ? nil : .object(records)])
  }

  /// §10.1.4: a name that is empty, or no base64url, is nobody's.
  private static func credentialID(_ name: String) -> CredentialID? {
    guard let bytes = try? Base64URL.decode(name) else { return nil }
    return try? CredentialID(bytes)
  }
}
