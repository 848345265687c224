// SPDX-License-Identifier: Apache-2.0

/// The checks that a fault fails beside its own, because one fault can break two statements. Each has its reason.
enum ImpliedFailures {
  static let checks: [String: Set<String>] = [:]
}
