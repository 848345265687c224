// SPDX-License-Identifier: Apache-2.0

/// A run of bytes inside a larger buffer.
///
/// Everything on this floor reads from and hands out `Bytes`. A slice shares its array's storage and keeps its array's
/// indices, so nothing is copied on the way down and an offset found deep inside an artifact is an offset into the
/// whole of it. An array becomes `Bytes` with `array[...]`.
public typealias Bytes = ArraySlice<UInt8>
