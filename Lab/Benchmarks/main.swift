// SPDX-License-Identifier: Apache-2.0

internal import Glibc

// Benchmarks [--json] [--rounds N] [--calls N] [FILTER…]: runs the selected benchmarks beside their raw operations.
// Benchmarks --storage [ACCOUNTS…]: measures the stores with this many accounts.
// Benchmarks --sweeping [ACCOUNTS]: measures sign-ins beside the sweep, erasures and audit verification.
// Benchmarks --server […]: measures sign-ins over HTTP; ServerBenchmarkSettings has the options.
// Benchmarks --growth […]: measures with a thousand to ten million accounts; GrowthSettings has the options.
// Benchmarks --load […]: measures the load generator, with the same options.

var filters: [String] = []
var isJSON = false
var rounds = 61
var calls = 0
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--json": isJSON = true
  case "--rounds": rounds = arguments.popFirst().flatMap { Int($0) } ?? rounds
  case "--calls": calls = arguments.popFirst().flatMap { Int($0) } ?? calls
  default: filters.append(argument)
  }
}

do {
  if let place = CommandLine.arguments.firstIndex(of: "--storage") {
    let populations = CommandLine.arguments[(place + 1)...].compactMap { Int($0) }
    try await StorageBenchmark.run(populations: populations.isEmpty ? [1000] : populations)
    exit(0)
  }
  if CommandLine.arguments.contains("--outbox") {
    try await OutboxBenchmark.run()
    exit(0)
  }
  if let place = CommandLine.arguments.firstIndex(of: "--sweeping") {
    let count = CommandLine.arguments[(place + 1)...].compactMap { Int($0) }.first
    try await SweepingBenchmark(accountCount: count ?? 100_000).run()
    exit(0)
  }
  if CommandLine.arguments.contains("--server") {
    try await ServerBenchmark(ServerBenchmarkSettings(CommandLine.arguments.dropFirst())).run()
    exit(0)
  }
  if CommandLine.arguments.contains("--growth") {
    try await GrowthBenchmark(GrowthSettings(CommandLine.arguments.dropFirst())).run()
    exit(0)
  }
  if CommandLine.arguments.contains("--load") {
    try LoadBenchmark(ServerBenchmarkSettings(CommandLine.arguments.dropFirst())).run()
    exit(0)
  }
  let all = try Suite.benchmarks()
  func find(_ name: String) -> Benchmark {
    guard let found = all.first(where: { $0.name == name }) else { fatalError("unknown benchmark \(name)") }
    return found
  }

  let chosen = all.filter { benchmark in filters.isEmpty || filters.contains { benchmark.name.contains($0) } }
  // For a profiler or an instruction count: only calls, no measurement.
  if calls > 0 {
    for benchmark in chosen {
      let body = try benchmark.make()
      for _ in 0..<calls { try body() }
    }
    exit(0)
  }
  if !isJSON { print(Figure.heads) }
  var figures: [Figure] = []
  for benchmark in chosen {
    let others = [benchmark.raw, benchmark.onOneThread].compactMap(\.self).map(find)
    let figure = Figure(benchmark, try Measurement(of: benchmark, against: others, rounds: rounds))
    figures.append(figure)
    if !isJSON { print(figure.line) }
  }
  if isJSON { print("[\n  " + figures.map(\.json).joined(separator: ",\n  ") + "\n]") }
} catch {
  print("benchmarks: error: \(error)")
  exit(1)
}
