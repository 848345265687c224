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

  /// The maker of the format that comes first among those that are preferred; where there is none of them, the usual.
  func maker(preferring formats: [AttestationFormat]) -> any AttestationMaker {
    let makers = makers
    for format in formats {
      if let maker = makers.first(where: { (maker) in maker.format == format }) { return maker }
    }
    return makers.first ?? NoneAttestationMaker()
  }

  private var makers: [any AttestationMaker] {
    switch self {
    case .none: [NoneAttestationMaker()]
    case .selfSigned: [SelfAttestationMaker(), NoneAttestationMaker()]
    case .batch(let maker, _): [maker, NoneAttestationMaker()]
    }
  }
}
