// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Whether this build, and the programs beside it, carry a sanitizer: it keeps several bytes for each of theirs.
public enum Sanitizer {
  /// A sanitizer's runtime is linked in.
  public static let isPresent = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// The distance between the places of a file that a test damages one after the other. [Without a sanitizer every place is
  /// tried; with one each try takes ten times as long and finds the same.]
  public static let stride = isPresent ? 16 : 1
}
