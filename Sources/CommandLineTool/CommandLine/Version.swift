// SPDX-License-Identifier: Apache-2.0

/// Which release of the programs this is.
package enum Version {
  package static let current = "0.1.0"
}
