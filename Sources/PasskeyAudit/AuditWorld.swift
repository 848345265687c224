// SPDX-License-Identifier: Apache-2.0

package import ServiceProfiles
package import WebAuthnClient

/// The server under audit, and what the checks need to reach it.
package struct AuditWorld: Sendable {
  package let server: ServerAddress
  package let profile: ServiceProfile
}
