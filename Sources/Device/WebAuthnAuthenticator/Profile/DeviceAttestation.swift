// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The kind of attestation that a device provides.
package enum DeviceAttestation: Sendable {
  /// No attestation (format `none`).
  case none
  /// Self attestation: the credential's own key signs.
  case selfSigned
  /// Batch attestation: a key shared by all devices of the model signs. The optional enterprise maker names the device.
  case batch(any AttestationMaker, enterprise: (any AttestationMaker)?)
}

extension DeviceAttestation {
  /// The supported formats, the default first.
  var formats: [AttestationFormat] { makers.map(\.format) }

  /// The attestation maker that identifies the individual device.
  var enterpriseMaker: (any AttestationMaker)? {
    switch self {
    case .none, .selfSigned: nil
    case .batch(_, let enterprise): enterprise
    }
  }

  /// Returns the maker of the first supported format in `formats`, or else the default maker, and whether it identifies
  /// the device. If `isEnterprise` is true, the enterprise maker is the default.
  func maker(
    preferring formats: [AttestationFormat], isEnterprise: Bool
  ) -> (maker: any AttestationMaker, identifiesDevice: Bool) {
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
