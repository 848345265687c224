// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Each tolerance accepts one deviation and nothing else.
@Suite struct PathToleranceTests {
  private let root: TestAuthority
  private let intermediate: TestAuthority

  init() throws {
    root = try TestAuthority.root()
    intermediate = try root.authority()
  }

  private func path(
    _ leaf: X509Certificate, _ issuer: X509Certificate? = nil, at time: UnixTime = Moment.y2030,
    tolerating tolerated: Set<PathTolerance>
  ) throws -> X509Certificate.Path {
    var policy = CertificatePathPolicy()
    policy.tolerated = tolerated
    return try TrustStore([root.certificate]).validate(
      leaf, through: [issuer ?? intermediate.certificate], at: time, policy: policy)
  }

  private static func all(but tolerance: PathTolerance) -> Set<PathTolerance> {
    Set(PathTolerance.allCases).subtracting([tolerance])
  }

  @Test func `a path that meets the strict policy has no deviation`() throws {
    #expect(try path(intermediate.leaf(), tolerating: []).tolerances == [])
    #expect(try path(intermediate.leaf(), tolerating: Set(PathTolerance.allCases)).tolerances == [])
  }

  @Test func `a leaf that is not valid yet`() throws {
    let leaf = try intermediate.leaf { $0.notBefore = Moment.y2030 + .seconds(1) }
    #expect(try path(leaf, tolerating: [.leafNotYetValid]).tolerances == [.leafNotYetValid])
    expect(.certificateNotYetValid) { try path(leaf, tolerating: Self.all(but: .leafNotYetValid)) }
  }

  @Test func `a leaf that has expired`() throws {
    let leaf = try intermediate.leaf { $0.notAfter = Moment.y2030 - .seconds(1) }
    #expect(try path(leaf, tolerating: [.leafExpired]).tolerances == [.leafExpired])
    expect(.certificateExpired) { try path(leaf, tolerating: Self.all(but: .leafExpired)) }
  }

  @Test func `an authority that has expired, but not one that is not valid yet`() throws {
    let leaf = try intermediate.leaf { $0.notAfter = Moment.y2040 + .seconds(86_400) }
    let after = Moment.y2040 + .seconds(1)
    #expect(try path(leaf, at: after, tolerating: [.authorityExpired]).tolerances == [.authorityExpired])
    expect(.certificateExpired) { try path(leaf, at: after, tolerating: Self.all(but: .authorityExpired)) }
    let before = Moment.y2020 - .seconds(1)
    expect(.certificateNotYetValid) { try path(leaf, at: before, tolerating: Set(PathTolerance.allCases)) }
  }

  @Test func `an issuer of the leaf that is not marked as an authority, but not one above it`() throws {
    let tolerated: Set<PathTolerance> = [.issuerNotAuthority]
    let unmarked = try root.authority { $0.extensions = [CertificateForm.keyUsage([0])] }
    let leaf = try unmarked.leaf()
    #expect(try path(leaf, unmarked.certificate, tolerating: tolerated).tolerances == [.issuerNotAuthority])
    expect(.certificateNotAnAuthority) {
      try path(leaf, unmarked.certificate, tolerating: Self.all(but: .issuerNotAuthority))
    }
    let below = try unmarked.authority("Below")
    var policy = CertificatePathPolicy()
    policy.tolerated = Set(PathTolerance.allCases)
    expect(.certificateNotAnAuthority) {
      try TrustStore([root.certificate]).validate(
        below.leaf(), through: [below.certificate, unmarked.certificate], at: Moment.y2030, policy: policy)
    }
  }
}
