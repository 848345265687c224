// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The program `passkey-lab`, which only a build with the laboratory makes.
public enum Laboratory {
  /// Whether the folder of the built programs has it, perhaps from an earlier build.
  public static let isBuilt = unsafe access("\(builtProgramsFolder)/passkey-lab", X_OK) == 0
}
