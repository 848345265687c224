// SPDX-License-Identifier: Apache-2.0

/// The test data that lies beside the checkout, in `../shared/vectors`. It is read from there and never copied.
///
/// A test that needs it carries `.enabled(if: SharedVectors.arePresent, SharedVectors.absence)`.
public enum SharedVectors {
  /// Why a test that needs the folder was skipped.
  public static let absence = "../shared/vectors is not there"

  /// Whether the folder is there.
  public static let arePresent = (try? bytes("README.md")) != nil

  /// The bytes of one of its files.
  public static func bytes(_ path: String) throws -> [UInt8] {
    try File.bytes("\(folder)/\(path)")
  }

  private static let folder = "\(projectFolder)/../shared/vectors"
}

/// The folder that holds `Package.swift`.
public let projectFolder = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  .dropLast(3).joined(separator: "/")
