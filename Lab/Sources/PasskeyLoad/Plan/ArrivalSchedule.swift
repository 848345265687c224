// SPDX-License-Identifier: Apache-2.0

/// The intended start times of an open load, fixed before any reply arrives. [A slow server must not delay the schedule,
/// or the slowest moments would not be measured: coordinated omission.]
struct ArrivalSchedule {
  private let phases: [LoadPlan.Phase]
  private let arrivals: LoadPlan.Arrivals
  private var generator: SeededNumbers
  /// The expected number of starts before the next one.
  private var mass = 0.0
  /// The current phase, and the expected number of starts and the seconds before it.
  private var index = 0
  private var massBefore = 0.0
  private var secondsBefore = 0.0

  init(_ phases: [LoadPlan.Phase], _ arrivals: LoadPlan.Arrivals, _ generator: SeededNumbers) {
    self.phases = phases
    self.arrivals = arrivals
    self.generator = generator
  }

  /// Returns the next start in seconds after the beginning of the load, with its phase. Nil after the last phase.
  mutating func next() -> (seconds: Double, phase: Int)? {
    mass += arrivals == .constant ? 1 : generator.exponential()
    while index < phases.count {
      let phase = phases[index]
      let phaseMass = (phase.from + phase.to) / 2 * phase.seconds
      if mass <= massBefore + phaseMass {
        return (secondsBefore + Self.seconds(until: mass - massBefore, in: phase), index)
      }
      massBefore += phaseMass
      secondsBefore += phase.seconds
      index += 1
    }
    return nil
  }

  /// Solves from·t + (to − from)·t²/(2·seconds) = mass for t.
  private static func seconds(until mass: Double, in phase: LoadPlan.Phase) -> Double {
    let slope = (phase.to - phase.from) / phase.seconds
    // Stable for small slopes, where the usual formula divides by almost zero.
    let root = max(0, phase.from * phase.from + 2 * slope * mass).squareRoot()
    return phase.from + root > 0 ? min(phase.seconds, 2 * mass / (phase.from + root)) : phase.seconds
  }
}
