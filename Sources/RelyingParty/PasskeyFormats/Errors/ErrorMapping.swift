// SPDX-License-Identifier: Apache-2.0

/// Returns the value of an expression, or throws `transform` of its error.
///
/// The compiler takes the type of the error from `transform`:
///
///     let file = try mapError(OpenFile(path, .reading)) { (error: SystemError) in
///       StorageError(.unavailable, error.message)
///     }
///
/// The call is not inlined: in a loop over bytes, write `do` and `catch`.
package func mapError<Value: ~Copyable, From: Error, To: Error>(
  _ value: @autoclosure () throws(From) -> Value, _ transform: (From) -> To
) throws(To) -> Value {
  do throws(From) {
    return try value()
  } catch {
    throw transform(error)
  }
}

/// Returns the result of several statements, or throws `transform` of their error. The closure names the type of its
/// error: `{ () throws(SystemError) in … }`.
package func mapError<Value: ~Copyable, From: Error, To: Error>(
  _ transform: (From) -> To, _ body: () throws(From) -> Value
) throws(To) -> Value {
  do throws(From) {
    return try body()
  } catch {
    throw transform(error)
  }
}

/// A property that takes no part in comparisons, such as the cause of an error: two errors with the same code are equal,
/// whatever caused them.
@propertyWrapper package struct Uncompared<Value: Sendable>: Hashable, Sendable {
  /// The value.
  package var wrappedValue: Value

  /// Creates the property.
  package init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  package static func == (_: Self, _: Self) -> Bool { true }

  package func hash(into _: inout Hasher) {}
}
