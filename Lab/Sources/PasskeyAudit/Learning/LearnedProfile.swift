// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A profile derived from a recording, and what it lacks.
package struct LearnedProfile: Sendable {
  /// The profile as formatted JSON.
  package let json: [UInt8]

  /// The endpoints of the profile, with their routes.
  package let endpoints: [(name: String, route: String)]

  /// Notes for the user: assumptions, and what the recording does not show.
  package let notes: [String]

  /// Derives a profile.
  ///
  /// - Throws: `recording.incomplete` if the recording has no sign-in.
  package init(_ recording: Recording, name: String) throws(ReportError) {
    var learner = ProfileLearner(recording)
    learner.learn()
    guard learner.endpoints.contains(where: { $0.name == "sign-in-verify" }) else {
      throw ReportError(
        .recordingIncomplete,
        "none of the \(recording.messages.count) requests finishes a sign-in: a JSON body with a signature and authenticatorData"
      )
    }
    json = learner.profile(named: name)
    endpoints = learner.endpoints.map { ($0.name, $0.route) }
    notes = learner.notes
  }
}
