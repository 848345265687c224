// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Whether two byte strings are equal, found out in a time that depends on their lengths alone.
///
/// For secrets and for what is derived from them: PIN hashes, authentication tags, tokens.
public func constantTimeEquals(_ left: Bytes, _ right: Bytes) -> Bool {
  left.equalsInConstantTime(right)
}
