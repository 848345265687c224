// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnAttestation

extension Inspector {
  /// Shows an Android key description with the names of its schema (Android documentation, "Key attestation schema").
  ///
  /// The parser of the attestation format decides whether the description is valid. The DER of an invalid one is shown.
  func keyDescription(_ der: Bytes, named name: String) -> InspectionNode {
    do throws(WireError) {
      let description = try KeyDescription(der: der)
      var reader = DERReader(der)
      return try keyDescription(reader.read(.sequence), description, named: name)
    } catch {
      var node = self.der(der, named: name)
      if node.isFlawless { node.problems.append(InspectionProblem(error)) }
      return node
    }
  }

  private func keyDescription(
    _ element: DERElement, _ description: KeyDescription, named name: String
  ) throws(WireError) -> InspectionNode {
    var node = InspectionNode(name, span: element.encoded.indices)
    let meanings = [
      "attestationSecurityLevel": KeyDescriptionReport.name(of: description.attestationSecurityLevel),
      "keyMintSecurityLevel": KeyDescriptionReport.name(of: description.keyMintSecurityLevel),
    ]
    node.children = try element.readContent { (reader) throws(WireError) in
      var members: [InspectionNode] = []
      for name in Self.keyDescriptionMembers {
        members.append(member(try reader.readElement(), named: name, note: meanings[name]))
      }
      for name in ["softwareEnforced", "hardwareEnforced"] {
        members.append(try authorizationList(reader.read(.sequence), named: name))
      }
      return members
    }
    return node
  }

  private static let keyDescriptionMembers = [
    "attestationVersion", "attestationSecurityLevel", "keyMintVersion", "keyMintSecurityLevel", "attestationChallenge",
    "uniqueId",
  ]

  private func authorizationList(_ element: DERElement, named name: String) throws(WireError) -> InspectionNode {
    var node = InspectionNode(name, span: element.encoded.indices)
    node.children = try element.readContent { (reader) throws(WireError) in
      var properties: [InspectionNode] = []
      while !reader.isAtEnd { properties.append(property(try reader.readElement())) }
      return properties
    }
    if node.children.isEmpty { node.note = "empty" }
    return node
  }

  /// Shows a property of a key. Its tag wraps the value.
  private func property(_ element: DERElement) -> InspectionNode {
    let number = element.tag.number
    let name = Self.keyProperties[number] ?? "\(element.tag)"
    guard let value = try? DERReader.parse(element.content, { (reader) throws(WireError) in try reader.readElement() })
    else { return InspectionNode(name, .bytes(element.content), span: element.encoded.indices) }
    var node = member(value, named: name, note: nil)
    if value.tag == .null { node.value = .text("true") }
    switch number {
    case 1:
      for index in node.children.indices { node.children[index] = item(node.children[index], index) }
    case 5, 6: for index in node.children.indices { node.children[index].name = "[\(index)]" }
    case 702:
      node.note = Self.number(value).map { KeyDescriptionReport.name(of: KeyDescription.Origin(rawValue: $0)) }
    case 704:
      for (index, name) in zip(node.children.indices, Self.rootOfTrustMembers) { node.children[index].name = name }
    default: break
    }
    return node
  }

  /// Names an operation in the set of a key's purposes.
  private func item(_ node: InspectionNode, _ index: Int) -> InspectionNode {
    var node = node
    node.name = "[\(index)]"
    if case .text(let text)? = node.value, let number = UInt64(text) {
      node.note = KeyDescriptionReport.name(of: KeyDescription.Purpose(rawValue: number))
    }
    return node
  }

  private func member(_ element: DERElement, named name: String, note: String?) -> InspectionNode {
    var node = der(element.encoded, named: name)
    // The tree of a single element: its value and children belong to the member.
    if node.isFlawless, let only = node.children.first {
      node = only
      node.name = name
    } else {
      node = InspectionNode(name, .bytes(element.content))
    }
    node.note = note
    node.span = element.encoded.indices
    return node
  }

  private static func number(_ element: DERElement) -> UInt64? {
    var reader = DERReader(element.encoded)
    return try? reader.readUInt64()
  }

  private static let rootOfTrustMembers = [
    "verifiedBootKey", "deviceLocked", "verifiedBootState", "verifiedBootHash",
  ]

  /// The properties by their tags, with the names of the schema.
  private static let keyProperties: [UInt32: String] = [
    1: "purpose", 2: "algorithm", 3: "keySize", 4: "blockMode", 5: "digest", 6: "padding", 7: "callerNonce",
    8: "minMacLength", 10: "ecCurve", 200: "rsaPublicExponent", 203: "mgfDigest", 303: "rollbackResistance",
    305: "earlyBootOnly", 400: "activeDateTime", 401: "originationExpireDateTime", 402: "usageExpireDateTime",
    405: "usageCountLimit", 502: "userSecureId", 503: "noAuthRequired", 504: "userAuthType", 505: "authTimeout",
    506: "allowWhileOnBody", 507: "trustedUserPresenceRequired", 508: "trustedConfirmationRequired",
    509: "unlockedDeviceRequired", 600: "allApplications", 601: "applicationId", 701: "creationDateTime", 702: "origin",
    703: "rollbackResistant", 704: "rootOfTrust", 705: "osVersion", 706: "osPatchLevel",
    709: "attestationApplicationId", 710: "attestationIdBrand", 711: "attestationIdDevice",
    712: "attestationIdProduct", 713: "attestationIdSerial", 714: "attestationIdImei", 715: "attestationIdMeid",
    716: "attestationIdManufacturer", 717: "attestationIdModel", 718: "vendorPatchLevel", 719: "bootPatchLevel",
    720: "deviceUniqueAttestation", 723: "attestationIdSecondImei", 724: "moduleHash",
  ]
}
