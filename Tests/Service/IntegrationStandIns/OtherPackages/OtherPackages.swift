// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Top-level names of packages that servers use beside this one. Only the names are repeated, no declaration.

// swift-crypto
public enum AES {}
public enum ChaChaPoly {}
public enum CryptoKitASN1Error {}
public enum CryptoKitError {}
public enum CryptoKitMetaError {}
public enum Curve25519 {}
public enum HKDF {}
public enum Insecure {}
public enum P256 {}
public enum P384 {}
public enum P521 {}
public enum SHA256 {}
public enum SHA384 {}
public enum SHA512 {}
public enum SHA256Digest {}
public enum SHA384Digest {}
public enum SHA512Digest {}
public enum SharedSecret {}
public enum SymmetricKey {}
public enum SymmetricKeySize {}
public enum HMAC {}
public enum HPKE {}
public enum SecureEnclave {}
public protocol Digest {}
public protocol HashFunction {}
public protocol MessageAuthenticationCode {}

// swift-certificates
public enum AuthorityKeyIdentifier {}
public enum BasicConstraints {}
public enum Certificate {}
public enum CertificateError {}
public enum CertificateSerialNumber {}
public enum CertificateSigningRequest {}
public enum CertificateStore {}
public enum CertificateVersion {}
public enum DistinguishedName {}
public enum ExtendedKeyUsage {}
public enum GeneralName {}
public enum KeyUsage {}
public enum NameConstraints {}
public enum OCSPVerifierPolicy {}
public enum RelativeDistinguishedName {}
public enum RFC5280Policy {}
public enum SubjectAlternativeNames {}
public enum SubjectKeyIdentifier {}
public enum UnverifiedCertificateChain {}
public enum Verifier {}
public protocol VerifierPolicy {}

// swift-asn1
public enum ASN1ObjectIdentifier {}
public enum ASN1Identifier {}
public enum PEMDocument {}
public enum PEMError {}
public enum DER {}
public enum BER {}

// swift-metrics
public enum Counter {}
public enum FloatingPointCounter {}
public enum Gauge {}
public enum Meter {}
public enum Metrics {}
public enum Recorder {}
public enum MetricsSystem {}
public protocol CounterHandler {}
public protocol MetricsFactory {}

// swift-distributed-tracing
public enum ServiceContext {}
public protocol Span {}
public protocol Tracer {}
public protocol Instrument {}
public enum InstrumentationSystem {}
public enum SpanStatus {}
public enum SpanKind {}

// swift-service-lifecycle
public protocol Service {}
public enum ServiceGroup {}
public enum ServiceGroupConfiguration {}

// Names that several packages have
public enum Base64 {}
public enum Hex {}
public enum JSON {}
public enum PEM {}
public enum CBOR {}
public enum Bytes {}
public enum Storage {}
public enum Origin {}
public enum Timestamp {}
public enum Cookie {}
public enum RequestContext {}
public enum RouteHandler {}
public enum Middleware {}
