// SPDX-License-Identifier: Apache-2.0

package import PasskeyService

extension Result where Failure == ServiceError {
  /// The code of the refusal; nil for a success.
  package var refusal: ServiceError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }

  /// The value; nil for a refusal.
  package var value: Success? { try? get() }
}
