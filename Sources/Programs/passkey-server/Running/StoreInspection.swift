// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage
internal import PasskeySystem

/// The findings of `config check` in a SQLite database, to which it writes nothing.
enum StoreInspection {
  /// Compares the database with the settings and the secret.
  ///
  /// - Returns: Warnings, one line each.
  /// - Throws: If the server would not start with it.
  static func warnings(_ configuration: ServerConfiguration) async throws(CommandFailure) -> [String] {
    guard case .file(let path) = configuration.database, let status = try? FileStatus(ofFileAt: path),
      status.byteCount > 0
    else { return [] }
    let secret = try SecretFile(path: configuration.secretPath).read()
    let storage: DatabaseStorage
    do throws(StorageError) {
      storage = try await SQLiteStorage.openForReading(path)
    } catch {
      throw OpenStore.failure(error, configuration.database)
    }
    do throws(CommandFailure) {
      let warnings = try await warnings(configuration, storage, secret)
      await storage.close()
      return warnings
    } catch {
      await storage.close()
      throw error
    }
  }

  private static func warnings(
    _ configuration: ServerConfiguration, _ storage: DatabaseStorage, _ secret: SecretBytes?
  ) async throws(CommandFailure) -> [String] {
    let service = try OpenStore.service(
      configuration, storage, secret ?? SecretBytes([UInt8](repeating: 0, count: SecretFile.byteCount)))
    if secret == nil {
      try await OpenStore.requireNoAccounts(service, without: configuration.secretPath)
    } else {
      try await mapError(async: await service.compareStore(), CommandFailure.init)
    }
    var warnings: [String] = []
    let (hasAccounts, hasAdministrator, stuck) = try await mapError(
      async: await accounts(of: service), CommandFailure.init)
    if hasAccounts, !hasAdministrator {
      warnings.append("no active account has the role admin: give it with passkey-server user roles NAME admin")
    }
    if stuck > 0 {
      let count = stuck == 1 ? "1 account" : stuck < limit ? "\(stuck) accounts" : "\(limit) accounts or more"
      warnings.append(
        "\(count) cannot be recovered by mail, because the address is not verified: list them with passkey-server user list"
      )
    }
    return warnings
  }

  /// Returns whether there are accounts and an administrator, and how many accounts cannot be recovered, at most `limit`.
  private static func accounts(
    of service: AuthService
  ) async throws(ServiceError) -> (hasAccounts: Bool, hasAdministrator: Bool, stuck: Int) {
    let administrators = Account.Filter(state: .active, role: .administrator)
    let hasAdministrator = try await !service.accounts(matching: administrators, limit: 1, by: .console).isEmpty
    var page = try await service.accounts(limit: pageLength, by: .console)
    let hasAccounts = !page.isEmpty
    var stuck = 0
    while let last = page.last, stuck < limit, service.policy.contact.recovery != .administrator {
      stuck += page.count(where: service.lacksRecovery)
      page = try await service.accounts(after: last.handle, limit: pageLength, by: .console)
    }
    return (hasAccounts, hasAdministrator, min(stuck, limit))
  }

  private static let pageLength = 500
  // 1,000 accounts  [the list shows them; the check only warns]
  private static let limit = 1_000
}
