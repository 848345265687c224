// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyProfiles
internal import PasskeyService

// The settings of verified addresses and of recovery by mail.

extension Setting {
  static let verifyEmail = Self(
    name: "verify-email", valueName: "WHEN", choices: ["required", "before-first-use", "off"],
    help:
      "verify the address of a new account before it exists, before its first sign-in, or never (required with --mail)")
  static let codeLifetime = Self(
    name: "mail-code-lifetime", valueName: "TIME", standard: "15m",
    help: "lifetime of the code in a mail that verifies an address")
  static let recovery = Self(
    name: "recovery", valueName: "KIND", standard: "administrator", choices: ["administrator", "email"],
    help: "recover accounts with codes of an administrator, or also with codes by mail")
  static let recoveryWait = Self(
    name: "recovery-wait", valueName: "TIME",
    help: "how long the owner of an account can cancel a recovery by mail before its code is valid (72h)")

  static let contactSettings = [verifyEmail, codeLifetime, recovery, recoveryWait]
}

extension Settings {
  /// Returns the policy of addresses. Those of new accounts are verified if there is a mail server and the profile has
  /// addresses, unless the settings say otherwise.
  func contactPolicy(of profile: ServiceProfile) throws(CommandFailure) -> ServicePolicy.Contact {
    let sendsMail = choice(.mail) != nil
    let hasAddresses = profile.identifiers.email != .none
    var policy = ServicePolicy.Contact()
    policy.invitations = sendsMail && hasAddresses ? .email : .administrator
    policy.verification = sendsMail && hasAddresses ? .required : .off
    if let choice = choice(.verifyEmail) {
      policy.verification = try choice.choice()
      if policy.verification != .off { try requireMail(for: choice, hasAddresses) }
    }
    if isForTests { policy.mailsPerRecipient = .max }
    policy.codeLifetime = try require(.codeLifetime).duration(atMost: .seconds(86_400))
    let wait = choice(.recoveryWait)
    switch try require(.recovery).choice(of: RecoveryChoice.self) {
    case .administrator:
      if let wait {
        throw .usage(
          "\(wait.place) applies to recovery by mail", hint: "allow it with \(Setting.recovery.option) email")
      }
    case .email:
      try requireMail(for: require(.recovery), hasAddresses)
      policy.recovery = .email(waiting: try wait?.duration() ?? (isForTests ? .zero : .seconds(72 * 3_600)))
    }
    return policy
  }

  private func requireMail(for choice: Choice, _ hasAddresses: Bool) throws(CommandFailure) {
    guard hasAddresses else {
      throw .usage("\(choice.place) needs addresses, and accounts of this profile have none", hint: "omit it")
    }
    guard self.choice(.mail) != nil else {
      throw .usage("\(choice.place) needs a mail server", hint: "name it with \(Setting.mail.option)")
    }
  }
}

/// The issuers of recovery codes.
private enum RecoveryChoice: String, CaseIterable {
  case administrator, email
}
