// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import Glibc
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyProfiles
import PasskeyTestSupport
import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Audits of the relying party with faults.
enum MatrixWorld {
  struct Options {
    var faults: Set<String> = []
    var settings = FaultyServer.Settings()
    var hasTLS = false
    /// The idle time in the profile and of the server.
    var idleSeconds: Int?
    /// Whether the audit gets invitations and the codes of mails.
    var hasCodes = false
  }

  /// The checks that cannot judge a correct server with plain HTTP and the usual settings.
  static let untold = needTLS.union(needSettings.keys).union(needAttestation)

  static let needTLS: Set<String> = [
    "session.cookie-secure", "session.cookie-prefix", "http.hsts", "http.tls-versions", "http.tls-suites-unprotected",
    "http.tls-suites-weak", "http.tls-suites-static", "http.plain", "http.plain-redirect", "http.plain-hsts",
  ]

  /// The checks of servers with other settings. Checks that wait for an expiry have short lifetimes, which would end on a
  /// slow machine before other checks are judged.
  static let needSettings: [String: @Sendable (inout Options) -> Void] = [
    "session.expiry": { $0.settings.sessionSeconds = 6 },
    "session.idle": { $0.idleSeconds = 6 },
    "step-up.expired": { $0.settings.grantSeconds = 6 },
    "state.expiry": { $0.settings.ceremonySeconds = 6 },
    "registration.attachment": { $0.settings.asksForPolicies = true },
    "registration.resident-key": { $0.settings.asksForPolicies = true },
    "state.recovery-replay": { $0.hasCodes = true }, "state.invitation-replay": { $0.hasCodes = true },
  ]

  /// The checks of servers that ask for attestation.
  static let needAttestation = Set(Check.attestationChecks.map(\.id))

  /// Returns the IDs of the faults of some groups: only those that begin with one of the words in `PASSKEY_AUDIT_FAULT`,
  /// separated by commas, if the environment has it.
  static func faults(_ isIncluded: (Substring) -> Bool) -> [String] {
    let wanted = unsafe getenv("PASSKEY_AUDIT_FAULT").map { unsafe String(cString: $0) } ?? ""
    let prefixes = wanted.split(separator: ",", omittingEmptySubsequences: false)
    return RelyingPartyFault.all.map(\.id).filter { (id) in
      isIncluded(id.prefix { $0 != "." }) && prefixes.contains { id.hasPrefix($0) }
    }
  }

  /// Expects that a fault fails its own check, and the checks that it implies.
  static func expectOwnFailure(of id: String) async throws {
    let fault = try #require(RelyingPartyFault.all.first { $0.id == id })
    let report = try await audit(with: fault)
    let failed = report.findings.filter { if case .fail = $0.verdict { true } else { false } }
    let expected = Set([fault.check]).union(ImpliedFailures.checks[id] ?? []).intersection(report.findings.map(\.id))
    let own = report.findings.filter { $0.id == fault.check }.map { "\($0.verdict)" }
    #expect(Set(failed.map(\.id)) == expected, "\(own) \(failed.map { "\($0.id): \($0.verdict)" })")
  }

  /// Audits the relying party with a fault: by all checks of the fault's group and one of each other group. With
  /// `PASSKEY_AUDIT_FULL=1` in the environment, by all checks.
  static func audit(with fault: RelyingPartyFault) async throws -> AuditReport {
    var options = Options(faults: [fault.id])
    let own = Check.all.filter { $0.id == fault.check }
    if let change = needSettings[fault.check] {
      change(&options)
      return try await audit(options, own)
    }
    if needAttestation.contains(fault.check) {
      options.settings.asksForAttestation = true
      return try await audit(options, Check.attestationChecks)
    }
    options.hasTLS = needTLS.contains(fault.check)
    let group = own.first?.group ?? .registration
    if group == .limits { options.settings.failuresBeforePause = 40 }
    return try await audit(
      options,
      Check.all.filter { (check) in
        if group == .limits || check.group == .limits { return check.group == group }
        return isFull || check.group == group || isSample(check)
      })
  }

  static func audit(_ options: Options, _ checks: [Check]) async throws -> AuditReport {
    var settings = options.settings
    var http = HTTPSettings()
    if options.hasTLS {
      let identity = try await identity.value
      settings.tls = identity.files
      http.certificateAuthority = identity.certificate
    }
    settings.idleSeconds = options.idleSeconds
    let server = try FaultyServer(faults: options.faults, settings)
    var audit = AuditOptions(
      try ServerAddress(server.url), .raxx, now: { UnixTime(secondsSince1970: Int64(time(nil))) })
    audit.http = http
    if let port = server.plainPort {
      audit.http.connectTo = ["localhost:80:localhost:\(port)"]
      audit.requestsPerSecond = 1_000_000
    }
    audit.profile.sessions.idleSeconds = options.idleSeconds
    if options.hasCodes {
      audit.newInvitation = { (name) async throws(CannotTell) in "INVITE-\(name)" }
      audit.mailCode = { (address) async throws(CannotTell) in
        guard let code = await server.mailedCode(to: address) else { throw CannotTell("no mail to \(address)") }
        return code
      }
    }
    audit.maximumRequests = 20_000
    // The removal of accounts takes as many requests as the checks.
    audit.erasesAccounts = options.faults.isEmpty
    let report = await (try Audit(audit, checks: checks)).run()
    await server.stop()
    return report
  }

  private static let isFull = unsafe getenv("PASSKEY_AUDIT_FULL") != nil

  /// Whether a check is the first of its group.
  private static func isSample(_ check: Check) -> Bool { Check.all.first { $0.group == check.group }?.id == check.id }

  /// A certificate for localhost and its key, in a folder that exists as long as this value.
  struct Identity: Sendable {
    let folder: TemporaryFolder
    var certificate: String { "\(folder.path)/crt" }
    var key: String { "\(folder.path)/key" }

    var files: TLSFiles { TLSFiles(certificatePath: certificate, keyPath: key) }
  }

  static let identity = Task {
    let identity = Identity(folder: try TemporaryFolder())
    let command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 2 "
      + "-addext subjectAltName=DNS:localhost -out \(identity.certificate) -keyout \(identity.key) 2>/dev/null"
    try await waiting {
      if let stream = unsafe popen(command, "r") { unsafe pclose(stream) }
    }
    return identity
  }
}
