// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The checks of a browser that need the options alone.
struct OptionsChecks {
  private let options: ExtensionValue
  private let offsets: [String: Int]

  /// `members` are converted options, and `offsets` the positions of their members in the text.
  init(_ members: [String: ExtensionValue], offsets: [String: Int]) {
    options = .object(members)
    self.offsets = offsets
  }

  func refusals(of ceremony: BrowserOptions.Ceremony) -> [BrowserRefusal] {
    switch ceremony {
    case .registration:
      [
        userHandle(), tooMany("excludeCredentials"),
        notSupported(ExtensionName.appID, "it is for sign-ins"), unknownProtection(), inconsistentProtection(),
        relyingPartyID(options["rp"]?["id"], "rp.id"),
      ].compactMap(\.self)
    case .authentication:
      [
        tooMany("allowCredentials"), notSupported(ExtensionName.credProps, "it is for registrations"),
        relyingPartyID(options["rpId"], "rpId"),
      ].compactMap(\.self)
    }
  }

  // MARK: Of the standard

  /// §5.1.3 step 5.
  private func userHandle() -> BrowserRefusal? {
    let count = options["user"]?["id"]?.string.flatMap { (text) in try? Base64URL.decode(text).count } ?? 0
    guard !(1...UserHandle.maximumByteCount ~= count) else { return nil }
    return refusal(
      .typeError, .userHandleInvalidLength, "user.id", "\(count) bytes, and not 1 to \(UserHandle.maximumByteCount)")
  }

  /// §5.1.3 step 8 and §5.1.4.1 step 7: an invalid domain is a suffix of no origin.
  private func relyingPartyID(_ value: ExtensionValue?, _ path: String) -> BrowserRefusal? {
    guard let text = value?.string else { return nil }
    do throws(FormatError) {
      _ = try RelyingPartyID(text)
      return nil
    } catch {
      return refusal(.securityError, error.code, path)
    }
  }

  // MARK: Chromium's own

  // 64  [of Chromium; the standard has no limit]
  static let maximumCredentialCount = 64

  /// Chromium's own.
  private func tooMany(_ name: String) -> BrowserRefusal? {
    guard let count = options[name]?.array?.count, count > Self.maximumCredentialCount else { return nil }
    return refusal(
      .rangeError, .optionsInvalidMember, name,
      "\(count) credentials, and Chromium accepts \(Self.maximumCredentialCount)")
  }

  /// Chromium's own: the standard lets a client ignore an extension of the other ceremony.
  private func notSupported(_ name: String, _ reason: String) -> BrowserRefusal? {
    guard let value = options["extensions"]?[name], value != false else { return nil }
    return refusal(.notSupportedError, .optionsInvalidMember, "extensions.\(name)", "\(reason), says Chromium")
  }

  /// Chromium's own: CTAP 2.3 §12.1 names the policies, but no exception.
  private func unknownProtection() -> BrowserRefusal? {
    let name = ExtensionName.credentialProtectionPolicy
    guard let policy = options["extensions"]?[name]?.string,
      RegistrationExtension.CredentialProtection(name: policy) == nil
    else {
      return nil
    }
    return refusal(.notSupportedError, .optionsInvalidMember, "extensions.\(name)", "an unknown policy")
  }

  /// Chromium's own: enforcement without a policy, and the strictest policy without required user verification.
  private func inconsistentProtection() -> BrowserRefusal? {
    let policyName = ExtensionName.credentialProtectionPolicy
    let policy = options["extensions"]?[policyName]?.string.flatMap {
      RegistrationExtension.CredentialProtection(name: $0)
    }
    let verification = options["authenticatorSelection"]?["userVerification"]?.string
    if policy == .userVerificationRequired, verification != UserVerificationRequirement.required.rawValue {
      return refusal(
        .notSupportedError, .optionsInvalidMember, "extensions.\(policyName)",
        "Chromium wants userVerification to be required, too")
    }
    let name = ExtensionName.enforceCredentialProtectionPolicy
    guard policy == nil, options["extensions"]?[name]?.bool == true else { return nil }
    return refusal(.notSupportedError, .optionsInvalidMember, "extensions.\(name)", "there is no policy to enforce")
  }

  // MARK: Credentials

  /// Replaces entries whose ID no credential can have (§7.1 step 25) by entries of an unknown type, which the client
  /// ignores as well (§5.8.3): a browser accepts such IDs, and ``CredentialID`` does not.
  func withoutImpossibleCredentials(
    _ members: [String: ExtensionValue]
  ) -> (members: [String: ExtensionValue], ignored: [BrowserOptions.Change]) {
    var (members, ignored): ([String: ExtensionValue], [BrowserOptions.Change]) = (members, [])
    for name in ["excludeCredentials", "allowCredentials"] {
      guard var list = members[name]?.array else { continue }
      for index in list.indices {
        let count = list[index]["id"]?.string.flatMap { (text) in try? Base64URL.decode(text).count } ?? 0
        guard !(1...CredentialID.maximumByteCount ~= count) else { continue }
        list[index] = ["type": "", "id": "AA"]
        let member = "\(name)[\(index)].id"
        let effect = "finds no such credential: it would have an ID of \(count) bytes"
        ignored.append(.init(member: member, offset: offsets[member] ?? 0, effect: effect, isAbsence: false))
      }
      members[name] = .array(list)
    }
    return (members, ignored)
  }

  private func refusal(
    _ exception: BrowserRefusal.Exception, _ code: FormatError.Code, _ path: String, _ reason: String? = nil
  ) -> BrowserRefusal {
    BrowserRefusal(exception, FormatError(code, at: offsets[path] ?? 0, member: path), reason)
  }
}
