// SPDX-License-Identifier: Apache-2.0

/// The prime modulus 2²³ − 2¹³ + 1 (FIPS 204 §4, table 1).
let q: Int32 = 8_380_417

/// MontgomeryReduce: returns a number congruent to a·2⁻³² modulo q, between −q and q, for |a| < 2³¹·q (FIPS 204,
/// algorithm 49).
@inline(__always)
func montgomeryReduce(_ a: Int64) -> Int32 {
  let t = Int32(truncatingIfNeeded: a) &* inverseOfQ
  return Int32(truncatingIfNeeded: (a &- Int64(t) &* Int64(q)) &>> 32)
}

/// The inverse of q modulo 2³².
private let inverseOfQ: Int32 = 58_728_449

/// The constant-time operations on a coefficient. An arithmetic shift by 31 gives −1 for a negative number and 0 for others.
extension Int32 {
  /// −1 if the number is negative, 0 otherwise.
  var signMask: Int32 { self &>> 31 }

  /// The absolute value.
  var absolute: Int32 { (self ^ signMask) &- signMask }

  /// A number congruent modulo q, between −q and q. Requires that the number is below 2³¹ − 2²².
  var reduced: Int32 { self &- ((self &+ (1 << 22)) &>> 23) &* q }

  /// The congruent number from 0 to q − 1. Requires that the number is between −q and q.
  var canonical: Int32 { self &+ (q & signMask) }

  /// The congruent number from −(q − 1)/2 to (q − 1)/2: mod± q. Requires that the number is between −q and q.
  var centered: Int32 {
    let least = canonical
    return least &- (q & ((q / 2) &- least).signMask)
  }
}
