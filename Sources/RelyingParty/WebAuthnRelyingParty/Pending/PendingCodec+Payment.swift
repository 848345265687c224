// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

extension PaymentTransaction {
  var tree: CBORTree {
    var members: [PendingCodec.Key: CBORTree] = [
      .currency: .text(total.currency), .value: .text(total.value), .instrument: .text(instrument.displayName),
      .icon: .text(instrument.icon), .iconMustBeShown: .bool(instrument.iconMustBeShown),
      .logos: .array(logos.map { .array([.text($0.url), .text($0.label)]) }),
      .caller: .text(caller.text), .topOrigin: .text(topOrigin.text),
    ]
    members[.payeeName] = payee.name.map { .text($0) }
    members[.payeeOrigin] = payee.origin.map { .text($0.text) }
    members[.details] = instrument.details.map { .text($0) }
    return PendingCodec.tree(members)
  }

  init(_ value: CBORValue) throws {
    let members = try PendingCodec.Members(value.map)
    self.init(
      total: try PaymentCurrencyAmount(
        currency: members.text(.currency), value: members.text(.value)),
      payee: try Self.payee(members),
      instrument: PaymentCredentialInstrument(
        displayName: try members.text(.instrument), icon: try members.text(.icon),
        iconMustBeShown: try members.bool(.iconMustBeShown), details: try members.textIfPresent(.details)),
      logos: try members.value(.logos).array.map { try Self.logo($0) },
      caller: try WebOrigin(utf8: members.utf8(.caller)),
      topOrigin: try WebOrigin(utf8: members.utf8(.topOrigin)))
  }

  private static func payee(_ members: PendingCodec.Members) throws -> PaymentPayee {
    let origin = try members.utf8IfPresent(.payeeOrigin).map { try WebOrigin(utf8: $0) }
    switch (try members.textIfPresent(.payeeName), origin) {
    case (let name?, let origin?): return .nameAndOrigin(name, origin)
    case (let name?, nil): return .name(name)
    case (nil, let origin?): return .origin(origin)
    case (nil, nil): throw CeremonyError(.pendingMalformed)
    }
  }

  private static func logo(_ value: CBORValue) throws -> PaymentEntityLogo {
    let parts = try value.texts
    guard parts.count == 2 else { throw CeremonyError(.pendingMalformed) }
    return PaymentEntityLogo(url: parts[0], label: parts[1])
  }
}
