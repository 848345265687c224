// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// What a device says of where its keys come from.
public enum DeviceAttestation: Sendable {
  /// Nothing: format none.
  case none
  /// Signed by the credential itself.
  case selfSigned
  /// Signed by the key that all devices of the model share; the enterprise maker names the one device, where it has one.
  case batch(any AttestationMaker, enterprise: (any AttestationMaker)?)
}

extension DeviceAttestation {
  /// The formats that a relying party can have, the usual one first.
  var formats: [AttestationFormat] { makers.map(\.format) }

  /// Who names the one device.
  var enterpriseMaker: (any AttestationMaker)? {
    switch self {
    case .none, .selfSigned: nil
    case .batch(_, let enterprise): enterprise
    }
  }

  /// The maker of the format that comes first among those that are preferred; where there is none of them, the usual. And
  /// whether it names the one device: where that is wanted, the enterprise maker stands first.
  func maker(
    preferring formats: [AttestationFormat], isEnterprise: Bool
  ) -> (maker: any AttestationMaker, namesDevice: Bool) {
    let enterpriseMaker = isEnterprise ? enterpriseMaker : nil
    let makers = [enterpriseMaker].compactMap(\.self) + makers
    let places = formats.compactMap { (format) in makers.firstIndex { (maker) in maker.format == format } }
    let place = places.first ?? makers.startIndex
    return (makers[place], enterpriseMaker != nil && place == makers.startIndex)
  }

  private var makers: [any AttestationMaker] {
    switch self {
    case .none: [NoneAttestationMaker()]
    case .selfSigned: [SelfAttestationMaker(), NoneAttestationMaker()]
    case .batch(let maker, _): [maker, NoneAttestationMaker()]
    }
  }
}
