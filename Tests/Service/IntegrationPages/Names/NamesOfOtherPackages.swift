// SPDX-License-Identifier: Apache-2.0

import Foundation
import OtherPackagesStandIn
import Passkeys

/// Names of other packages, of Foundation and of the standard library, unqualified. It compiles only if no name of `import Passkeys` makes one ambiguous.
enum NamesOfOtherPackages {
  static let types: [Any.Type] = [
    AES.self, ChaChaPoly.self, CryptoKitASN1Error.self, CryptoKitError.self, CryptoKitMetaError.self,
    Curve25519.self, HKDF.self, Insecure.self, P256.self, P384.self, P521.self, SHA256.self, SHA384.self,
    SHA512.self, SHA256Digest.self, SHA384Digest.self, SHA512Digest.self, SharedSecret.self, SymmetricKey.self,
    SymmetricKeySize.self, HMAC.self, HPKE.self, SecureEnclave.self, (any Digest).self, (any HashFunction).self,
    (any MessageAuthenticationCode).self, AuthorityKeyIdentifier.self, BasicConstraints.self, Certificate.self,
    CertificateError.self, CertificateSerialNumber.self, CertificateSigningRequest.self, CertificateStore.self,
    CertificateVersion.self, DistinguishedName.self, EmailAddress.self, ExtendedKeyUsage.self, GeneralName.self,
    KeyUsage.self, NameConstraints.self, OCSPVerifierPolicy.self, RelativeDistinguishedName.self, RFC5280Policy.self,
    SubjectAlternativeNames.self, SubjectKeyIdentifier.self, UnverifiedCertificateChain.self, Verifier.self,
    (any VerifierPolicy).self, ASN1ObjectIdentifier.self, ASN1Identifier.self, PEMDocument.self, PEMError.self,
    DER.self, BER.self, Counter.self, FloatingPointCounter.self, Gauge.self, Meter.self, Metrics.self, Recorder.self,
    Timer.self, MetricsSystem.self, (any CounterHandler).self, (any MetricsFactory).self, ServiceContext.self,
    (any Span).self, (any Tracer).self, (any Instrument).self, InstrumentationSystem.self, SpanStatus.self,
    SpanKind.self, (any Service).self, ServiceGroup.self, ServiceGroupConfiguration.self, Base64.self, Hex.self,
    JSON.self, PEM.self, CBOR.self, Bytes.self, Storage.self, Origin.self, Timestamp.self, Cookie.self,
    RequestContext.self, RouteHandler.self, Middleware.self, ObjectIdentifier.self, Data.self, Date.self, URL.self,
    UUID.self, Locale.self, Mirror.self, Duration.self, Never.self,
  ]
}
