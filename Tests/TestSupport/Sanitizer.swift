// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Whether this build uses a sanitizer, which multiplies time and memory.
public enum Sanitizer {
  /// A sanitizer's runtime is linked in.
  public static let isPresent = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// The distance between the places of a file that a test corrupts in turn. [With a sanitizer each try takes ten times as
  /// long and finds the same faults.]
  public static let stride = isPresent ? 61 : 1
}
