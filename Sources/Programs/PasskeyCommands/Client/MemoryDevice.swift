// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAuthenticator

/// A device whose passkeys are in memory until the process ends.
package struct MemoryDevice: Sendable {
  package let vault: MemoryVault
  package let options: DeviceOptions
  package let random: RandomSource

  /// Keeps passkeys in memory.
  package static let memory = Option("--memory", help: "keep passkeys in memory until the process ends")
  /// The source of all keys, for tests.
  package static let seed = Option(
    "--seed", "TEXT",
    help: "derive all keys, ids and nonces from this text, with passkeys in memory; for tests only")

  package static let optionSpecifications: [any OptionSpecification] = [memory, seed]

  /// Whether options ask for passkeys in memory.
  ///
  /// - Throws: A usage error if they also name a vault.
  package static func isChosen(_ arguments: ParsedArguments) throws(CommandFailure) -> Bool {
    guard arguments[memory] || arguments.has(seed) else { return false }
    guard !arguments.has(VaultLocation.vault) else {
      throw .usage("--vault cannot be combined with --memory or --seed", hint: "a vault in memory has no file")
    }
    return true
  }

  package init(_ arguments: ParsedArguments) throws(CommandFailure) {
    options = try DeviceOptions(arguments)
    random = Self.random(seed: arguments[Self.seed])
    vault = try Self.vault(random: random)
  }

  /// Creates an empty vault.
  package static func vault(random: RandomSource) throws(CommandFailure) -> MemoryVault {
    MemoryVault(try DeviceState.factoryForCommand(random: random))
  }

  /// Returns the deterministic source of `--seed`, or the system's.
  package static func random(seed: String?) -> RandomSource {
    seed.map { (seed) in .seeded([UInt8](seed.utf8), label: "passkey authenticator") } ?? .system
  }
}
