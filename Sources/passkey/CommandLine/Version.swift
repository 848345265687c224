// SPDX-License-Identifier: Apache-2.0

/// Which passkey this is.
enum Version {
  static let current = "0.1.0"
}
