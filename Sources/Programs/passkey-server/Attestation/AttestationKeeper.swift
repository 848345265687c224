// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnAttestation

/// Keeps the attestation policy of a service up to date: reads files again on request, and fetches metadata when their
/// next update is due. One thread does both, so that neither blocks a task.
final class AttestationKeeper: Sendable {
  private let settings: AttestationSettings
  private let reader: MetadataReader?
  private let apply: @Sendable (AttestationPolicy) -> Void
  private let clock: @Sendable () -> UnixTime
  private let report: @Sendable (String) -> Void
  private let state = Locked(State())

  private struct State {
    var metadata: MetadataBlob?
    var statusList: AttestationStatusList?
    /// When to fetch the metadata next.
    var nextFetch: UnixTime?
    /// Whether someone asked to read the files again.
    var isAsked = false
    var isStopped = false
  }

  /// Reads the signer's certificates. `apply` gets each new policy.
  init(
    _ settings: AttestationSettings,
    fetch: @escaping @Sendable (String) async -> Result<[UInt8], MetadataReader.FetchFailure> = MetadataReader.fetch,
    clock: @escaping @Sendable () -> UnixTime = { Clock.now },
    report: @escaping @Sendable (String) -> Void = { Diagnostics.server.note($0) },
    apply: @escaping @Sendable (AttestationPolicy) -> Void
  ) throws(CommandFailure) {
    self.settings = settings
    reader = try settings.metadata.map { (location) throws(CommandFailure) in
      MetadataReader(location: location, signer: try settings.signer(), fetch: fetch)
    }
    self.clock = clock
    self.report = report
    self.apply = apply
  }

  /// Reads all files and applies the policy. Metadata of a URL come from the cache, or are fetched if the cache is empty.
  func load() async throws(CommandFailure) {
    let statusList = try settings.statusList()
    var metadata = try storedMetadata()
    var nextFetch = metadata?.nextUpdate
    if metadata == nil, let reader, case .url(let url, let cache) = reader.location {
      report("fetching the metadata from \(url.escapedForTerminal), for at most two minutes")
      metadata = try await reader.fetched(from: url, cache: cache, lastNumber: 0, at: clock())
      nextFetch = timeOfNextFetch(after: metadata)
    }
    state.withLock { [metadata, nextFetch] (state) in
      state.metadata = metadata
      state.nextFetch = nextFetch
      state.statusList = statusList
    }
    apply(settings.policy(metadata, statusList))
    warn(about: metadata)
  }

  /// The metadata that are stored. A cache that cannot be used counts as empty: what replaces it is fetched.
  private func storedMetadata() throws(CommandFailure) -> MetadataBlob? {
    guard let reader else { return nil }
    do throws(CommandFailure) {
      return try reader.stored(lastNumber: 0, at: clock())
    } catch {
      guard case .url = reader.location else { throw error }
      report("warning: \(error.message)")
      return nil
    }
  }

  /// Starts the thread that reads and fetches.
  func start() {
    guard settings.metadata != nil || settings.statusListPath != nil else { return }
    if !SystemThread.start({ self.run() }) { report("warning: no thread to keep the attestation lists up to date") }
  }

  /// Asks the thread to read the files again, and to fetch metadata.
  func reload() { state.update { $0.isAsked = true } }

  /// Ends the thread, after a running transfer.
  func stop() { state.update { $0.isStopped = true } }

  private func run() {
    var failures = 0
    while true {
      guard let isAsked = wait(until: dueTime(after: failures)) else { return }
      failures = renew(isAsked: isAsked) ? 0 : failures + 1
    }
  }

  /// Waits until the time, a request or the end. Returns whether there was a request; nil at the end.
  private func wait(until due: UnixTime?) -> Bool? {
    while true {
      // An hour at most, because an administrator may set the clock meanwhile.
      let left = due.map { min(max($0.secondsSince1970 - clock().secondsSince1970, 0), 3600) } ?? 3600
      let event: (isStopped: Bool, isAsked: Bool)? = state.wait(until: .now + .seconds(left)) { (state) in
        guard state.isStopped || state.isAsked else { return nil }
        defer { state.isAsked = false }
        return (state.isStopped, state.isAsked)
      }
      if let event { return event.isStopped ? nil : event.isAsked }
      if let due, clock() >= due { return false }
    }
  }

  /// When to fetch next; nil if nothing is fetched.
  private func dueTime(after failures: Int) -> UnixTime? {
    guard case .url? = reader?.location else { return nil }
    // After a failure: 15 minutes, doubled each time up to a day.
    if failures > 0 { return clock() + .seconds(min(900 << min(failures - 1, 7), 86_400)) }
    return state.withLock { $0.nextFetch }
  }

  /// When to fetch next after metadata were fetched now: when they announce it. A service that is late is asked again
  /// every six hours.
  private func timeOfNextFetch(after metadata: MetadataBlob?) -> UnixTime {
    let now = clock()
    return metadata.map(\.nextUpdate).flatMap { $0 > now ? $0 : nil } ?? now + .seconds(6 * 3600)
  }

  /// Reads the files or fetches the metadata. Keeps what is in use if that fails. Returns whether it succeeded.
  private func renew(isAsked: Bool) -> Bool {
    let (used, usedList) = state.withLock { ($0.metadata, $0.statusList) }
    do throws(CommandFailure) {
      let statusList = isAsked ? try settings.statusList() : usedList
      let metadata = try newMetadata(than: used)
      state.withLock { (state) in
        state.metadata = metadata
        state.statusList = statusList
        state.nextFetch = timeOfNextFetch(after: metadata)
      }
      apply(settings.policy(metadata, statusList))
      if let metadata, metadata.number != used?.number || isAsked {
        report("using the metadata no. \(metadata.number), next update \(metadata.nextUpdate)")
      }
      if isAsked, let statusList { report("using a status list of \(statusList.count) certificates") }
      warn(about: metadata)
      return true
    } catch {
      report("still using the old attestation lists: \(error.message)")
      return false
    }
  }

  private func newMetadata(than used: MetadataBlob?) throws(CommandFailure) -> MetadataBlob? {
    guard let reader else { return nil }
    let (last, now) = (used?.number ?? 0, clock())
    guard case .url(let url, let cache) = reader.location else { return try reader.stored(lastNumber: last, at: now) }
    return try Blocking.wait { () async throws(CommandFailure) in
      try await reader.fetched(from: url, cache: cache, lastNumber: last, at: now)
    }
  }

  private func warn(about metadata: MetadataBlob?) {
    guard let metadata else { return }
    if clock() >= metadata.nextUpdate + .seconds(86_400) {
      report("warning: the metadata no. \(metadata.number) are overdue: their next update was \(metadata.nextUpdate)")
    }
    // An entry that repeats a model is refused too, but the model is anchored.
    let refused = metadata.refusedEntries.filter { (entry) in entry.aaguid.map { metadata[$0] == nil } ?? true }
    if let first = refused.first {
      let model = first.aaguid.map { " (\($0))" } ?? ""
      report(
        "warning: the metadata no. \(metadata.number) have unreadable entries, \(refused.count) of "
          + "\(refused.count + metadata.entries.count); their models are not anchored. The first: no. \(first.index)\(model), "
          + first.error.description.escapedForTerminal)
    }
  }
}

extension AttestationSettings {
  /// Reads the files, as `serve` does, and returns warnings. Fetches nothing.
  func requireFiles() throws(CommandFailure) {
    _ = try statusList()
    guard let metadata else { return }
    let reader = MetadataReader(location: metadata, signer: try signer(), fetch: MetadataReader.fetch)
    _ = try reader.stored(lastNumber: 0, at: Clock.now)
  }
}
