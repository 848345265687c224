// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnAttestation
package import WebAuthnTypes

/// The member `models` of a case's policy: the authenticator models that the relying party accepts.
package struct CaseModels: Sendable {
  package var allowed: [AAGUID]?
  package var denied: [AAGUID]?
  package var statuses: [String]?
  package var certificationLevel: MetadataBlob.CertificationLevel?
  package var keyProtection: [String]?

  package init(
    statuses: [String]? = nil, certificationLevel: MetadataBlob.CertificationLevel? = nil,
    keyProtection: [String]? = nil
  ) {
    self.statuses = statuses
    self.certificationLevel = certificationLevel
    self.keyProtection = keyProtection
  }

  /// The members that are set.
  package var json: [JSONDraft.Member] {
    let lists: [(String, [String]?)] = [
      ("allowed", allowed?.map(\.description)), ("denied", denied?.map(\.description)), ("statuses", statuses),
      ("keyProtection", keyProtection),
    ]
    return lists.compactMap { (name, list) in list.map { .init(name: name, value: .array($0.map { .string($0) })) } }
      + (certificationLevel.map { [.init(name: "certificationLevel", value: .string($0.description))] } ?? [])
  }

  func apply(to models: inout AttestationPolicy.ModelRequirements) {
    models.allowed = allowed.map { Set($0) }
    models.denied = Set(denied ?? [])
    models.statuses = Set((statuses ?? []).map { AuthenticatorStatus(rawValue: $0) })
    models.certificationLevel = certificationLevel
    models.keyProtection = Set((keyProtection ?? []).map { KeyProtection(rawValue: $0) })
  }
}

extension CaseModels {
  init(_ value: JSONValue) throws(WireError) {
    allowed = try Self.models(value["allowed"])
    denied = try Self.models(value["denied"])
    statuses = try value["statuses"]?.elements { (item) throws(WireError) in try item.string }
    keyProtection = try value["keyProtection"]?.elements { (item) throws(WireError) in try item.string }
    certificationLevel = try value["certificationLevel"].map { (level) throws(WireError) in
      let text = try level.string
      guard let known = MetadataBlob.CertificationLevel.allCases.first(where: { $0.description == text }) else {
        throw WireError(.jsonWrongType, at: level.offset)
      }
      return known
    }
  }

  private static func models(_ value: JSONValue?) throws(WireError) -> [AAGUID]? {
    try value?.elements { (item) throws(WireError) in
      guard let model = AAGUID(uuid: try item.string) else { throw WireError(.jsonWrongType, at: item.offset) }
      return model
    }
  }
}
