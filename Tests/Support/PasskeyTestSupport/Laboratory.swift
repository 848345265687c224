// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The program `passkey-lab`, which only a build with the laboratory has.
public enum Laboratory {
  /// Whether it was built with the tests.
  public static let isBuilt = unsafe access("\(builtProgramsFolder)/passkey-lab", X_OK) == 0
}
