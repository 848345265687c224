// SPDX-License-Identifier: Apache-2.0

/// Returns the value of an asynchronous expression, or throws `transform` of its error. The expression begins with
/// `await`.
nonisolated(nonsending) package func mapError<Value, From: Error, To: Error>(
  async value: @autoclosure () async throws(From) -> Value, _ transform: (From) -> To
) async throws(To) -> Value {
  do throws(From) {
    return try await value()
  } catch {
    throw transform(error)
  }
}
