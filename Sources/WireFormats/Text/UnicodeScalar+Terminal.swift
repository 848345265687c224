// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
  /// Whether a terminal can be given this without obeying it, hiding it or turning the line around.
  package var mayBeShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }
}
