// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Whether this build, and the programs beside it, carry a sanitizer: it keeps several bytes for each of theirs.
public enum Sanitizer {
  /// A sanitizer's runtime is linked in.
  public static let isPresent = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// By how much longer something may take in this build. [A program with a sanitizer is five to fifteen times as slow;
  /// the deadlines that this stretches are generous already.]
  public static let patience = isPresent ? 4 : 1
}
