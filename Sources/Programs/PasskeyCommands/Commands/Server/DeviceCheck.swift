// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAuthenticator
internal import WebAuthnClient
internal import WebAuthnTypes

/// Checks whether the device that `--device` names answers, and what it can do. Asks its user nothing.
enum DeviceCheck {
  private static let subject = "device"
  private static let hint =
    "name a program that exchanges frames on its standard streams, or the socket of a running passkey authenticator --unix"

  // 10 s  [a program's start; the device asks its user nothing]
  private static let limit = Duration.seconds(10)

  static func finding(_ choice: DeviceChoice) async -> Finding {
    let (findings, source) = AsyncStream.makeStream(of: Finding.self)
    let tasks = [
      Task { _ = source.yield(await answer(of: choice)) },
      Task {
        try? await Task.sleep(for: limit)
        source.yield(.fault(subject, "no answer within \(limit)", hint: hint))
      },
    ]
    defer { for task in tasks { task.cancel() } }
    for await finding in findings { return finding }
    return .fault(subject, "cancelled")
  }

  private static func answer(of choice: DeviceChoice) async -> Finding {
    do throws(CommandFailure) {
      let info = try await info(choice)
      return unusable(info) ?? .ok(subject, text(info))
    } catch {
      return .fault(subject, error.message, hint: error.hint ?? hint)
    }
  }

  private static func info(_ choice: DeviceChoice) async throws(CommandFailure) -> AuthenticatorInfo {
    let opener = DeviceOpener(choice, asking: AutomaticInteraction.never)
    // A process can take long to start.
    let opened = try await SystemThread.run { () throws(CommandFailure) in try opener.open() }
    guard let device = opened?.asking else { throw .inputOutput("the system has no thread left") }
    let reply = try await mapError(async: await device.perform(.getInfo, [])) { (error: CTAPError) in
      CommandFailure(error)
    }
    return try mapError(AuthenticatorInfo(parsing: reply)) { (error: FormatError) in
      CommandFailure.refused("its description is malformed: \(error)".escapedForTerminal)
    }
  }

  private static func unusable(_ info: AuthenticatorInfo) -> Finding? {
    guard info.versions.contains(where: { (version) in version.hasPrefix("FIDO_2") }) else {
      return .fault(
        subject, "it speaks \(info.versions.joined(separator: ", ").escapedForTerminal) only",
        hint: "passkeys need a device with CTAP 2")
    }
    guard info.options["up"] ?? true else {
      return .warning(subject, "it does not test for presence", hint: "use a device with a button or a prompt")
    }
    return nil
  }

  private static func text(_ info: AuthenticatorInfo) -> String {
    var words = [info.versions.joined(separator: ", "), "model \(info.aaguid)"]
    words.append(info.options["rk"] == true ? "discoverable passkeys" : "no discoverable passkeys")
    switch (info.options["uv"], info.options["clientPin"]) {
    case (true?, _): words.append("verifies its user")
    case (_, true?): words.append("has a PIN")
    case (_, false?): words.append("no PIN is set")
    case (_, nil): words.append("does not verify its user")
    }
    return words.joined(separator: "; ").escapedForTerminal
  }
}
