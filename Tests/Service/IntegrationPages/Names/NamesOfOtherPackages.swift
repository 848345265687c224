// SPDX-License-Identifier: Apache-2.0

import Foundation
import OtherPackagesStandIn
import Passkeys

/// Names of other packages, of Foundation and of the standard library, unqualified. It compiles only if no name of `import Passkeys` makes one
/// ambiguous.
enum NamesOfOtherPackages {
  typealias Name1 = AES
  typealias Name2 = ChaChaPoly
  typealias Name3 = CryptoKitASN1Error
  typealias Name4 = CryptoKitError
  typealias Name5 = CryptoKitMetaError
  typealias Name6 = Curve25519
  typealias Name7 = HKDF
  typealias Name8 = Insecure
  typealias Name9 = P256
  typealias Name10 = P384
  typealias Name11 = P521
  typealias Name12 = SHA256
  typealias Name13 = SHA384
  typealias Name14 = SHA512
  typealias Name15 = SHA256Digest
  typealias Name16 = SHA384Digest
  typealias Name17 = SHA512Digest
  typealias Name18 = SharedSecret
  typealias Name19 = SymmetricKey
  typealias Name20 = SymmetricKeySize
  typealias Name21 = HMAC
  typealias Name22 = HPKE
  typealias Name23 = SecureEnclave
  typealias Name24 = any Digest
  typealias Name25 = any HashFunction
  typealias Name26 = any MessageAuthenticationCode
  typealias Name27 = AuthorityKeyIdentifier
  typealias Name28 = BasicConstraints
  typealias Name29 = Certificate
  typealias Name30 = CertificateError
  typealias Name31 = CertificateSerialNumber
  typealias Name32 = CertificateSigningRequest
  typealias Name33 = CertificateStore
  typealias Name34 = CertificateVersion
  typealias Name35 = DistinguishedName
  typealias Name36 = ExtendedKeyUsage
  typealias Name37 = GeneralName
  typealias Name38 = KeyUsage
  typealias Name39 = NameConstraints
  typealias Name40 = OCSPVerifierPolicy
  typealias Name41 = RelativeDistinguishedName
  typealias Name42 = RFC5280Policy
  typealias Name43 = SubjectAlternativeNames
  typealias Name44 = SubjectKeyIdentifier
  typealias Name45 = UnverifiedCertificateChain
  typealias Name46 = Verifier
  typealias Name47 = any VerifierPolicy
  typealias Name48 = ASN1ObjectIdentifier
  typealias Name49 = ASN1Identifier
  typealias Name50 = PEMDocument
  typealias Name51 = PEMError
  typealias Name52 = DER
  typealias Name53 = BER
  typealias Name54 = Counter
  typealias Name55 = FloatingPointCounter
  typealias Name56 = Gauge
  typealias Name57 = Meter
  typealias Name58 = Metrics
  typealias Name59 = Recorder
  typealias Name60 = MetricsSystem
  typealias Name61 = any CounterHandler
  typealias Name62 = any MetricsFactory
  typealias Name63 = ServiceContext
  typealias Name64 = any Span
  typealias Name65 = any Tracer
  typealias Name66 = any Instrument
  typealias Name67 = InstrumentationSystem
  typealias Name68 = SpanStatus
  typealias Name69 = SpanKind
  typealias Name70 = any Service
  typealias Name71 = ServiceGroup
  typealias Name72 = ServiceGroupConfiguration
  typealias Name73 = Base64
  typealias Name74 = Hex
  typealias Name75 = JSON
  typealias Name76 = PEM
  typealias Name77 = CBOR
  typealias Name78 = Bytes
  typealias Name79 = Storage
  typealias Name80 = Origin
  typealias Name81 = Timestamp
  typealias Name82 = Cookie
  typealias Name83 = RequestContext
  typealias Name84 = RouteHandler
  typealias Name85 = Middleware
  typealias Name86 = ObjectIdentifier
  typealias Name87 = Data
  typealias Name88 = Date
  typealias Name89 = URL
  typealias Name90 = UUID
  typealias Name91 = Locale
  typealias Name92 = Mirror
  typealias Name93 = Duration
  typealias Name94 = Never
}
