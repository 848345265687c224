// SPDX-License-Identifier: Apache-2.0

internal import PasskeyTesting
internal import WebAuthnAuthenticator

// The stages of making an attestation (WebAuthn §6.5, §8).

extension AttestationSubject: Draft {}
extension CertificateMaker: Draft {}
extension TPMCertification: Draft {}
extension AndroidKeyDescription: Draft {}
extension SafetyNetResponse: Draft {}
